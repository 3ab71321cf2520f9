import { isThroughlineError } from '@throughline/sdk';

import { type ContextPart, contextPart } from './resources.js';
import { digestOf } from './resource-text.js';
import { type ToolContext } from './tool-context.js';
import { pathOf } from './view.js';

/** Duration of a long poll; the next one continues at the same version. */
const waitSeconds = 25;
/** Minimum time between two reads of a watched text. */
const pauseMs = 250;
/** Pause after an answer without events: a stopping server answers long polls immediately. */
const emptyPauseMs = 500;
const retryMs = 2_000;

/** A part with the digest and the version of the last text that its reader has read. */
type Watchable = ContextPart & Readonly<{ digest: string; version: number }>;

type Events = Readonly<{ items: readonly Readonly<{ version: number }>[] }>;

/**
 * Returns the parts that these URIs name. Undefined if the caller may not read one of them; it does not reveal which one, or
 * whether it exists.
 */
export async function watchable(
  toolContext: ToolContext,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Watchable> | undefined> {
  const parts = uris.map((uri) => [uri, contextPart(toolContext, uri)] as const);
  const known = parts.flatMap(([uri, part]) => (part ? [[uri, part] as const] : []));
  if (known.length < uris.length) return undefined;
  try {
    const read = known.map(async ([uri, part]) => {
      const text = await part.read(signal);
      const version = text.closing.version ?? 0;
      return [uri, { ...part, digest: digestOf(text), version }] as const;
    });
    return new Map(await Promise.all(read));
  } catch {
    return undefined;
  }
}

/**
 * Calls `changed` after each change of the text that the audience reads; hidden events neither change the text nor end a long
 * poll. Ends with `signal`, and rejects if the key may no longer read.
 */
export async function watch(
  { client }: ToolContext,
  { contextId, audience, read, digest, version }: Watchable,
  { changed, signal }: Readonly<{ changed: () => void; signal: AbortSignal }>,
): Promise<void> {
  let last = digest;
  let after = version;
  while (!signal.aborted)
    try {
      const query = { after, audience, limit: 500, wait: waitSeconds };
      const path = `${pathOf(contextId)}/events`;
      const { body } = await client.request<Events>('GET', path, { query, signal });
      const newest = body.items.at(-1);
      if (!newest) {
        await pause(emptyPauseMs, signal);
        continue;
      }
      const now = digestOf(await read(signal));
      if (now !== last) changed();
      last = now;
      after = newest.version;
      await pause(pauseMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      await pause(retryMs, signal);
    }
}

/** Returns whether the key may not read this. Requests to a busy or restarting server are repeated. */
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
