import { type ClaimedWork, type WorkEnvelope } from './api.js';
import { Attempt, type AttemptResult, delayAfter, type WorkHandler } from './attempt.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { WorkFailure } from './work-failure.js';

export type WorkOptions = Readonly<{
  /** For whose attempts: the key must be allowed to act for them. */
  agent: string | readonly string[];
  handler: WorkHandler;
  /** Ends the claims; attempts that run have `graceMs` to end. */
  signal?: AbortSignal | undefined;
  /** How many attempts run at the same time, at most; 1 by default. */
  concurrency?: number | undefined;
  /** 10 s by default; then the signals of the handlers abort. */
  graceMs?: number | undefined;
  /** An attempt has ended. */
  onAttempt?: ((work: WorkEnvelope, result: AttemptResult) => void) | undefined;
  /** The server does not answer claims; they go on. */
  onError?: ((error: unknown) => void) | undefined;
}>;

const [waitSeconds, usualGraceMs] = [20, 10_000];
/** A server that is stopping answers at once that nothing waits. */
const leastPauseMs = 500;

/**
 * Claims attempts, has the handler carry them out and reports their results, until `signal` aborts and what runs has ended. Rejects if
 * the server refuses the claim.
 */
export async function work(http: HttpClient, options: WorkOptions): Promise<void> {
  const { signal, handler, concurrency = 1 } = options;
  const running = new Map<Attempt, Promise<void>>();
  const release = endAfterGrace(running, options);
  try {
    while (!signal?.aborted) {
      const claimed = await claim(http, options);
      if (!claimed) continue;
      const attempt = new Attempt(http, claimed);
      const ended = attempt.run(handler).then((result) => {
        running.delete(attempt);
        options.onAttempt?.(attempt.envelope, result);
      });
      running.set(attempt, ended);
      if (running.size >= concurrency) await Promise.race(running.values());
    }
  } finally {
    await Promise.all(running.values());
    release();
  }
}

/** Undefined if nothing came up, or the server does not answer for now. */
async function claim(http: HttpClient, options: WorkOptions): Promise<ClaimedWork | undefined> {
  const { signal, onError } = options;
  try {
    return await claimOnce(http, options);
  } catch (error) {
    if (signal?.aborted) return undefined;
    const delay = delayAfter(error, 3);
    if (delay === undefined) throw error;
    onError?.(error);
    await pause(delay, signal);
    return undefined;
  }
}

async function claimOnce(
  http: HttpClient,
  { agent, signal }: WorkOptions,
): Promise<ClaimedWork | undefined> {
  const startedAt = performance.now();
  const body = { agents: typeof agent === 'string' ? [agent] : agent, wait: waitSeconds };
  const request = { body, signal, maxRetries: 0 };
  const answer = await http.request<ClaimedWork>('POST', '/v1/work/claim', request);
  if (answer.status !== 204) return answer.body;
  if (performance.now() - startedAt < leastPauseMs) await pause(leastPauseMs, signal);
  return undefined;
}

function endAfterGrace(
  running: ReadonlyMap<Attempt, unknown>,
  { signal, graceMs = usualGraceMs }: WorkOptions,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = new WorkFailure('the worker was stopped', { code: 'stopped' });
  const begin = () => {
    timer = setTimeout(() => {
      for (const attempt of running.keys()) attempt.end(stop);
    }, graceMs);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', begin);
  };
}
