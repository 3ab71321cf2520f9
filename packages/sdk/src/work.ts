import { type ClaimedWork, type WorkEnvelope } from './api.js';
import { Attempt, type AttemptResult, type WorkHandler } from './attempt.js';
import { isThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { waitSecondsWithin } from './long-poll.js';
import { delayAfter } from './may-pass.js';
import { pause } from './pause.js';
import { startTimer } from './start-timer.js';
import { WorkFailure } from './work-failure.js';

export type WorkOptions = Readonly<{
  /** For whose attempts: the key must be allowed to act for them. */
  agent: string | readonly string[];
  handler: WorkHandler;
  /** Ends the claims; attempts that run have `graceMs` to end. */
  signal?: AbortSignal | undefined;
  /** How many attempts run at the same time, at most; 1 by default. */
  concurrency?: number | undefined;
  /** 10 s by default; then the signals of the handlers abort. `Infinity` is no limit. */
  graceMs?: number | undefined;
  /** End after one attempt, or if none came up within 20 s. A claim that is not answered does not count. */
  once?: boolean | undefined;
  /**
   * An attempt has ended. `cause`: what a failed one has failed with, or why nothing was stored of a dropped one. What it throws ends the
   * work.
   */
  onAttempt?: ((work: WorkEnvelope, result: AttemptResult, cause: unknown) => unknown) | undefined;
  /** The server does not answer claims; they go on, unless this throws. */
  onError?: ((error: unknown) => void) | undefined;
}>;

/** Without work, nothing came up. */
type AnsweredClaim = Readonly<{ work: ClaimedWork | undefined }>;
type Claims = Readonly<{ http: HttpClient; options: WorkOptions; signal: AbortSignal }>;

const usualGraceMs = 10_000;
/** A server that is stopping answers at once that nothing waits. */
const minPauseMs = 500;

/**
 * Claims attempts, has the handler carry them out and reports their results, until `signal` aborts and what runs has ended. Rejects if
 * the server refuses the claim, or with what `onAttempt` or `onError` throws, as soon as what runs has ended.
 */
export async function work(http: HttpClient, options: WorkOptions): Promise<void> {
  const { concurrency = 1, once = false } = options;
  const fault = new AbortController();
  const signal = anyOf(options.signal, fault.signal);
  const running = new Map<Attempt, Promise<void>>();
  const release = endAfterGrace(running, options);
  const start = (attempt: Attempt) => {
    const ended = carryOut(attempt, options)
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

async function carryOut(attempt: Attempt, { handler, onAttempt }: WorkOptions): Promise<void> {
  const { result, cause } = await attempt.run(handler);
  await onAttempt?.(attempt.envelope, result, cause);
}

/** Undefined if the server does not answer for now, or the claims have ended. */
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

/** Undefined if nothing came up. */
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
  { signal, graceMs = usualGraceMs }: WorkOptions,
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
