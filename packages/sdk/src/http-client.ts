import { addressOf, parseBase } from './address.js';
import {
  ConnectionError,
  errorOfAnswer,
  isThroughlineError,
  ThroughlineError,
  WriteAbortedError,
} from './errors.js';
import { type Answer, type Fetch, type FetchAnswer } from './http-answer.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { pause } from './pause.js';
import {
  type HttpOptions,
  type Method,
  type Parse,
  type RequestOptions,
} from './request-options.js';
import { parseRetryAfter, retryDelay } from './retry-delay.js';
import { startTimer } from './start-timer.js';
import { sentWrite, type SentWrite } from './sent-write.js';

type PreparedRequest = Readonly<{
  address: string;
  method: Method;
  headers: Record<string, string>;
  body: string | undefined;
  /** Undefined for a read. */
  write: SentWrite | undefined;
}>;

const [defaultRetries, defaultTimeoutMs] = [2, 90_000];

/** Sends requests with the key, repeats them if that is safe, and converts refusals to errors. */
export class HttpClient {
  readonly #base: URL;
  readonly #options: HttpOptions;
  readonly #fetch: Fetch;

  constructor(options: HttpOptions) {
    this.#base = parseBase(options.url);
    requireHeaderText('key', options.key);
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, request) => globalThis.fetch(url, request));
  }

  /** The default timeout of one attempt of a request. */
  get timeoutMs(): number {
    return this.#options.timeoutMs ?? defaultTimeoutMs;
  }

  /**
   * `below` begins with `/v1/`. Rejects with a {@link ThroughlineError}, or with the reason of `signal` unless a write was sent before
   * the abort. All writes have an Idempotency-Key, so that they can be repeated.
   */
  request<T>(method: Method, below: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const prepared = this.#prepare(method, below, options);
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? defaultRetries;
    let isSent = false;
    const send = () => {
      isSent = true;
      return this.#send<T>(prepared, options);
    };
    return withRetries(send, maxRetries, options.signal).catch((error: unknown) => {
      const { write } = prepared;
      throw isSent && write && isReasonOf(options.signal, error)
        ? new WriteAbortedError(write, error)
        : error;
    });
  }

  #prepare(method: Method, below: string, options: RequestOptions): PreparedRequest {
    const own = definedHeaders(options.headers ?? {});
    const idempotencyKey =
      method === 'GET'
        ? undefined
        : (options.idempotencyKey ?? own['idempotency-key'] ?? newIdempotencyKey());
    const { key, workspace } = this.#options;
    const body = encodeBody(options);
    const headers = {
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      workspace,
      'content-type': body === undefined ? undefined : (options.contentType ?? 'application/json'),
      'idempotency-key': idempotencyKey,
      'if-match': matchOf(options.expectedVersion),
      'based-on': options.basedOn,
      'correlation-id': options.correlationId,
      'causation-id': options.causationId,
      trust: options.trust,
      ...own,
    };
    const address = addressOf(this.#base, below, options.query);
    const write = sentWrite(method, below, { ...options, body, idempotencyKey });
    return { address, method, headers: definedHeaders(headers), body, write };
  }

  /** Sends the request once. */
  async #send<T>(prepared: PreparedRequest, options: RequestOptions): Promise<Answer<T>> {
    const timeoutMs = options.timeoutMs ?? this.timeoutMs;
    const { signal, release } = withTimeout(timeoutMs, options.signal);
    try {
      const answer = await this.#answer(prepared, signal);
      return answerOf(answer, (await this.#read(answer, prepared, options.parse)) as T);
    } catch (cause) {
      throw isThroughlineError(cause) ? cause : this.#noAnswer(cause, prepared);
    } finally {
      release();
    }
  }

  async #read(
    answer: FetchAnswer,
    prepared: PreparedRequest,
    parse: Parse = 'json',
  ): Promise<unknown> {
    if (!isSuccess(answer)) throw this.#refusal(answer, await answer.text(), prepared);
    if (parse === 'response') return answer;
    const text = await answer.text();
    return parse === 'json' ? decode(text, answer.status, prepared) : text;
  }

  #answer(
    { address, method, headers, body }: PreparedRequest,
    signal: AbortSignal,
  ): Promise<FetchAnswer> {
    return this.#fetch(address, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal,
      redirect: 'error',
    });
  }

  #refusal({ status, headers }: FetchAnswer, text: string, { write }: PreparedRequest) {
    return errorOfAnswer({
      status,
      text,
      retryAfterMs: parseRetryAfter(headers.get('retry-after')),
      requestId: headers.get('x-request-id') ?? undefined,
      write,
    });
  }

  #noAnswer(cause: unknown, { write }: PreparedRequest): ConnectionError {
    const message = `no answer from ${this.#base.origin}: ${reasonOf(cause)}`;
    return new ConnectionError(message, { cause, write });
  }
}

function isReasonOf(signal: AbortSignal | undefined, error: unknown): boolean {
  return signal !== undefined && signal.aborted && error === signal.reason;
}

async function withRetries<T>(
  send: () => Promise<T>,
  maxRetries: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 0; ; attempt++)
    try {
      signal?.throwIfAborted();
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const delay = isThroughlineError(error) ? retryDelay(error, attempt) : undefined;
      if (attempt >= maxRetries || delay === undefined) throw error;
      await pause(delay, signal);
    }
}

/** Returns a signal that aborts with `outer`, or after the timeout unless it is released before. */
function withTimeout(timeoutMs: number, outer: AbortSignal | undefined) {
  const late = new AbortController();
  const reason = new Error(`${timeoutMs / 1_000} s have passed`);
  const release = startTimer(() => late.abort(reason), timeoutMs);
  const signal = outer ? AbortSignal.any([outer, late.signal]) : late.signal;
  return { signal, release };
}

function encodeBody({ body, contentType }: RequestOptions): string | undefined {
  if (contentType !== undefined && typeof body === 'string') return body;
  return body === undefined ? undefined : JSON.stringify(body);
}

function matchOf(expected: number | string | undefined): string | undefined {
  return typeof expected === 'number' ? `"${expected}"` : expected;
}

function definedHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const named = Object.entries(headers);
  return Object.fromEntries(
    named.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** 304 is the answer to a read with `If-None-Match`. */
function isSuccess({ status }: FetchAnswer): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

function answerOf<T>({ status, headers }: FetchAnswer, body: T): Answer<T> {
  const etag = headers.get('etag');
  return { status, headers, body, ...(etag !== null && { etag }) };
}

function decode(text: string, status: number, { address, write }: PreparedRequest): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${new URL(address).origin} does not answer in JSON: check that it is the address of a Throughline server`;
    throw new ThroughlineError('unexpected-answer', message, { cause, status, text, write });
  }
}

/** `fetch` puts the reason into the cause, with one error for each address of the host. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/** Checked here, because the error of `fetch` would contain the value. */
function requireHeaderText(name: string, value: string | undefined): void {
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value))
    throw new TypeError(`${name}: only visible ASCII characters without spaces can be sent`);
}
