import { type ClaimedWork, type WorkEnvelope } from './api.js';
import { Attempt, type AttemptResult, type WorkHandler } from './attempt.js';
import { isThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { waitSecondsWithin } from './long-poll.js';
import { delayAfter } from './worker-delay.js';
import { pause } from './pause.js';
import { startTimer } from './start-timer.js';
import { WorkFailure } from './work-failure.js';

export type WorkOptions = Readonly<{
  /** The agents whose attempts are claimed; the key must be allowed to act for them. */
  agent: string | readonly string[];
  handler: WorkHandler;
  /** Ends the claims; running attempts have `graceMs` to end. */
  signal?: AbortSignal | undefined;
  /** Maximum number of concurrent attempts; 1 by default. */
  concurrency?: number | undefined;
  /** The time after which the signals of the handlers abort; 10 s by default. `Infinity` disables the limit. */
  graceMs?: number | undefined;
  /** Ends after one attempt, or after 20 s without one. A claim that is not answered does not count. */
  once?: boolean | undefined;
  /**
   * Called when an attempt has ended. `cause`: the error of a failed attempt, or the reason why nothing was stored for a dropped one.
   * An error of the callback ends the work.
   */
  onAttempt?: ((work: WorkEnvelope, result: AttemptResult, cause: unknown) => unknown) | undefined;
  /** Called when the server does not answer a claim. Claims continue unless the callback throws. */
  onError?: ((error: unknown) => void) | undefined;
}>;

/** `work` is undefined if there was no attempt. */
type AnsweredClaim = Readonly<{ work: ClaimedWork | undefined }>;
type Claims = Readonly<{ http: HttpClient; options: WorkOptions; signal: AbortSignal }>;

const defaultGraceMs = 10_000;
/** Minimum time between claims: a stopping server answers immediately without work. */
const minPauseMs = 500;

/**
 * Claims attempts, runs the handler and reports the results, until `signal` aborts and running attempts have ended. Rejects if the
 * server refuses the claim, or with the error of `onAttempt` or `onError`, after running attempts have ended.
 */
export async function work(http: HttpClient, options: WorkOptions): Promise<void> {
  const { concurrency = 1, once = false } = options;
  const fault = new AbortController();
  const signal = anyOf(options.signal, fault.signal);
  const running = new Map<Attempt, Promise<void>>();
  const release = endAfterGrace(running, options);
  const start = (attempt: Attempt) => {
    const ended = runAttempt(attempt, options)
      .catch((error: unknown) => fault.abort(error))
      .finally(() => running.delete(attempt));
    running.set(attempt, ended);
  };
  try {
    while (!signal.aborted) {
      const claimed = await claim({ http, options, signal });
      if (!claimed) continue;
      if (claimed.work) start(new Attempt(http, claimed.work));
      if (once) break;
      if (running.size >= concurrency) await Promise.race(running.values());
    }
  } finally {
    await Promise.all(running.values());
    release();
  }
  fault.signal.throwIfAborted();
}

function anyOf(outer: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  return outer ? AbortSignal.any([outer, own]) : own;
}

async function runAttempt(attempt: Attempt, { handler, onAttempt }: WorkOptions): Promise<void> {
  const { result, cause } = await attempt.run(handler);
  await onAttempt?.(attempt.envelope, result, cause);
}

/** Returns undefined if the server is temporarily unavailable, or the claims have ended. */
async function claim(claims: Claims): Promise<AnsweredClaim | undefined> {
  const { options, signal } = claims;
  try {
    return { work: await claimOnce(claims) };
  } catch (error) {
    if (signal.aborted) return undefined;
    const delay = isThroughlineError(error) ? delayAfter(error, 3) : undefined;
    if (delay === undefined) throw error;
    options.onError?.(error);
    await pause(delay, signal);
    return undefined;
  }
}

/** Returns undefined if there was no attempt. */
async function claimOnce({ http, options, signal }: Claims): Promise<ClaimedWork | undefined> {
  const startedAt = performance.now();
  const agents = typeof options.agent === 'string' ? [options.agent] : options.agent;
  const body = { agents, wait: waitSecondsWithin(http.timeoutMs) };
  const request = { body, signal, maxRetries: 0 };
  const answer = await http.request<ClaimedWork>('POST', '/v1/work/claim', request);
  if (answer.status !== 204) return answer.body;
  if (performance.now() - startedAt < minPauseMs) await pause(minPauseMs, signal);
  return undefined;
}

function endAfterGrace(
  running: ReadonlyMap<Attempt, unknown>,
  { signal, graceMs = defaultGraceMs }: WorkOptions,
): () => void {
  let stopTimer: (() => void) | undefined;
  const stop = new WorkFailure('the worker was stopped', { code: 'stopped' });
  const begin = () => {
    stopTimer = startTimer(() => {
      for (const attempt of running.keys()) attempt.end(stop);
    }, graceMs);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return () => {
    stopTimer?.();
    signal?.removeEventListener('abort', begin);
  };
}
