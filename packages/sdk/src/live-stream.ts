import { type Query } from './address.js';
import { isThroughlineError, ThroughlineError } from './errors.js';
import { type Answer, type FetchAnswer } from './http-answer.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { retryDelay } from './retry-delay.js';
import { startTimer } from './start-timer.js';
import { SseParser, type SseMessage } from './sse-parser.js';

/** Reading continues after a callback has returned and its promise has resolved. An error of a callback ends the iteration. */
export type LiveOptions = Readonly<{
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** Called when all history has been read; later events are new. */
  onUpToDate?: (() => unknown) | undefined;
  /** Called when the events read so far are invalid, with the reason. All events follow again from the start. */
  onReset?: ((reason: string) => unknown) | undefined;
  /** Called when the connection is lost, before a reconnect. The error is undefined if the server has ended the stream. */
  onDisconnect?: ((error: unknown) => unknown) | undefined;
  /** A connection without a byte for this time counts as lost; the server sends one every 15 s. 45 s by default; `Infinity` disables the limit. */
  silenceMs?: number | undefined;
}>;

type LiveItem<T> = Readonly<{ id: string; data: T }>;
type Stream<T> = Readonly<{
  path: string;
  query: Query;
  after: string;
  /** Takes precedence over `after` until a reset. */
  id?: string;
  start: string;
  /** Whether the value is the data of an event of the stream. */
  isData: (value: unknown) => value is T;
}>;

/** The state of reading one stream over several connections. */
type Position = { after: string; id: string | undefined; retryMs: number; failures: number };

const [defaultSilenceMs, defaultRetryMs, longestDelayMs] = [45_000, 1_000, 30_000];

/** Distinguishes an error of a callback from a lost connection. */
class CallbackError extends Error {}

/**
 * Reads a stream, and reconnects after lost connections from the last id. Rejects if the server refuses it, such as for a revoked
 * key, if the answer is not a stream, or with the error of a callback.
 */
export async function* readLive<T>(
  http: HttpClient,
  stream: Stream<T>,
  options: LiveOptions,
): AsyncGenerator<LiveItem<T>, void, void> {
  const isAborted = () => options.signal?.aborted ?? false;
  const position = positionOf(stream);
  while (!isAborted()) {
    let lost: unknown;
    try {
      yield* readConnection(http, stream, position, options);
    } catch (error) {
      lost = error;
      if (error instanceof CallbackError) throw error.cause;
      if (isFinal(error) && !isAborted()) throw error;
    }
    if (!isAborted()) await waitAfter(lost, position, options);
  }
}

function positionOf({ after, id }: Stream<unknown>): Position {
  return { after, id, retryMs: defaultRetryMs, failures: 0 };
}

async function waitAfter(lost: unknown, position: Position, options: LiveOptions): Promise<void> {
  await options.onDisconnect?.(lost);
  await pause(delayOf(position, lost), options.signal);
}

/** Reads until the connection ends or the server resets the stream. */
async function* readConnection<T>(
  http: HttpClient,
  stream: Stream<T>,
  position: Position,
  options: LiveOptions,
): AsyncGenerator<LiveItem<T>, void, void> {
  for await (const message of messagesOf(http, stream, position, options)) {
    if (message.event === 'reset') {
      restart(position, stream);
      return call(() => options.onReset?.(reasonOf(message.data)));
    }
    if (message.event === 'up-to-date') {
      position.id = message.id ?? position.id;
      position.failures = 0;
      await call(() => options.onUpToDate?.());
    } else if (message.event === 'event') yield read(position, message, stream);
  }
}

function restart(position: Position, { start }: Stream<unknown>): void {
  position.id = undefined;
  position.after = start;
}

async function call(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (cause) {
    throw new CallbackError('a callback has failed', { cause });
  }
}

function read<T>(
  position: Position,
  { id = '', data: text }: SseMessage,
  { path, isData }: Stream<T>,
): LiveItem<T> {
  position.id = id;
  position.failures = 0;
  const data: unknown = JSON.parse(text);
  if (isData(data)) return { id, data };
  const message = `${path} sends data that is not an event: check that this is the address of a Throughline server`;
  throw new ThroughlineError('unexpected-answer', message, { status: 200, text });
}

/** Yields the messages of one connection. */
async function* messagesOf(
  http: HttpClient,
  { path, query }: Stream<unknown>,
  position: Position,
  { signal, silenceMs = defaultSilenceMs }: LiveOptions,
): AsyncGenerator<SseMessage, void, void> {
  const ended = new AbortController();
  const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const parser = new SseParser();
  try {
    const answer = await http.request<FetchAnswer>('GET', path, {
      query: { ...query, after: position.after },
      headers: { accept: 'text/event-stream', 'last-event-id': position.id },
      parse: 'response',
      maxRetries: 0,
      signal: both,
    });
    requireEvents(path, answer);
    for await (const bytes of within(silenceMs, piecesOf(answer.body), ended)) {
      for (const message of parser.push(bytes)) yield message;
      position.retryMs = parser.retryMs ?? position.retryMs;
    }
  } finally {
    ended.abort();
  }
}

/** A proxy may answer at the address of the server with its own page. */
function requireEvents(path: string, { status, headers }: Answer<FetchAnswer>): void {
  const type = headers.get('content-type') ?? 'nothing';
  if (status === 200 && type.startsWith('text/event-stream')) return;
  const message = `${path} answers with ${type}, not with events: check that this is the address of a Throughline server`;
  throw new ThroughlineError('unexpected-answer', message, { status });
}

/** Throws if the source is silent for too long. */
async function* within(
  silenceMs: number,
  source: AsyncIterable<Uint8Array>,
  ended: AbortController,
): AsyncGenerator<Uint8Array, void, void> {
  const end = () => ended.abort(new Error(`nothing was sent for ${silenceMs / 1_000} s`));
  let stop = startTimer(end, silenceMs);
  try {
    for await (const bytes of source) {
      stop();
      yield bytes;
      stop = startTimer(end, silenceMs);
    }
  } finally {
    stop();
  }
}

/** Not every browser can iterate over a `ReadableStream`. */
async function* piecesOf({ body }: FetchAnswer): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  if (!('getReader' in body)) {
    yield* body;
    return;
  }
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Whether a retry would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof SyntaxError) return true;
  return (
    isThroughlineError(error) && retryDelay(error, 0) === undefined && (error.status ?? 0) < 500
  );
}

function delayOf(position: Position, lost: unknown): number {
  const attempt = position.failures++;
  const retryAfterMs = isThroughlineError(lost) ? (lost.retryAfterMs ?? 0) : 0;
  const limit = Math.min(longestDelayMs, position.retryMs * 2 ** Math.min(attempt, 10));
  return Math.max(retryAfterMs, Math.random() * limit);
}

function reasonOf(data: string): string {
  try {
    const parsed: unknown = JSON.parse(data);
    return String((parsed as { reason?: unknown } | null)?.reason ?? 'unknown');
  } catch {
    return 'unknown';
  }
}
