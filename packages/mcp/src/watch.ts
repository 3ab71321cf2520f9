import { isThroughlineError } from '@throughline/sdk';

import { type ContextPart, contextPart } from './resources.js';
import { digestOf } from './resource-text.js';
import { type Site } from './tool-context.js';
import { pathOf } from './view.js';

/** Long polls end by themselves; the next one goes on at the same version. */
const waitSeconds = 25;
/** A watched text is read again at most so often. */
const pauseMs = 250;
/** A server that is stopping answers a long poll at once, without events. */
const emptyPauseMs = 500;
const retryMs = 2_000;

/** A part, with a digest of the text that its reader has been shown, and the version which that text shows. */
type Watchable = ContextPart & Readonly<{ digest: string; version: number }>;

type Events = Readonly<{ items: readonly Readonly<{ version: number }>[] }>;

/**
 * The parts that these URIs stand for. Undefined if one of them is not the caller's to read: which one, and whether it
 * exists, is not said.
 */
export async function watchable(
  site: Site,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Watchable> | undefined> {
  const parts = uris.map((uri) => [uri, contextPart(site, uri)] as const);
  const found = parts.flatMap(([uri, part]) => (part ? [[uri, part] as const] : []));
  if (found.length < uris.length) return undefined;
  try {
    const read = found.map(async ([uri, part]) => {
      const shown = await part.read(signal);
      const version = shown.closing.version ?? 0;
      return [uri, { ...part, digest: digestOf(shown), version }] as const;
    });
    return new Map(await Promise.all(read));
  } catch {
    return undefined;
  }
}

/**
 * Calls `changed` whenever the text that its audience reads has become another one; events that the audience does not see
 * change no text and end no wait. Ends with `signal`, and rejects if the key may no longer read.
 */
export async function watch(
  { client }: Site,
  { contextId, audience, read, digest, version }: Watchable,
  { changed, signal }: Readonly<{ changed: () => void; signal: AbortSignal }>,
): Promise<void> {
  let shown = digest;
  let after = version;
  while (!signal.aborted)
    try {
      const query = { after, audience, limit: 500, wait: waitSeconds };
      const path = `${pathOf(contextId)}/events`;
      const { body } = await client.request<Events>('GET', path, { query, signal });
      const last = body.items.at(-1);
      if (!last) {
        await pause(emptyPauseMs, signal);
        continue;
      }
      const now = digestOf(await read(signal));
      if (now !== shown) changed();
      shown = now;
      after = last.version;
      await pause(pauseMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      await pause(retryMs, signal);
    }
}

/** Whether the key may not read this, now or later: a server that is busy or restarted is asked again. */
function isFinal(error: unknown): boolean {
  if (!isThroughlineError(error)) return true;
  const { status = 0 } = error;
  return status >= 400 && status < 500 && status !== 429;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
