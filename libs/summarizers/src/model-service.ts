import { setTimeout as wait } from 'node:timers/promises';

import { refusalOf } from './model-refusal.js';
import { readBounded } from './read-bounded.js';
import { SummarizerError } from './summarizer.error.js';

/** The service that runs a model. */
export type ModelService = Readonly<{
  /** Has no trailing slash. */
  baseUrl: string;
  model: string;
  /** Undefined if the service requires none. */
  key: string | undefined;
  /** How long an answer may take, retries included. */
  timeoutMs: number;
}>;

type ModelCall = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: object;
  signal: AbortSignal;
}>;

type Exchange = Readonly<{ response: Response; text: string | undefined }>;

const maxTries = 3;
const maxBytes = 512 * 1024;
const word = /^\w{1,64}$/;

/**
 * Returns the JSON answer of a service to a call; undefined if the answer is not JSON. Retries only if the answer has a
 * Retry-After header, and only within `timeoutMs`. Throws SummarizerError, or the signal's reason.
 */
export async function callModel(service: ModelService, call: ModelCall): Promise<unknown> {
  const limit = AbortSignal.timeout(service.timeoutMs);
  const signal = AbortSignal.any([call.signal, limit]);
  try {
    return await answerTo(service, { ...call, signal });
  } catch (error) {
    call.signal.throwIfAborted();
    if (limit.aborted)
      throw new SummarizerError(`did not answer within ${service.timeoutMs} ms`, 'late');
    throw error;
  }
}

async function answerTo(service: ModelService, call: ModelCall): Promise<unknown> {
  const until = performance.now() + service.timeoutMs;
  for (let tries = 1; ; tries++) {
    const { response, text } = await exchange(service, call);
    if (text === undefined)
      throw new SummarizerError(`answered more than ${maxBytes} bytes`, 'garbled');
    if (response.ok) return parseJson(text);
    const refusal = refusalOf(response, parseJson(text));
    const pauseMs = refusal.retryAfterMs ?? Infinity;
    if (tries === maxTries || performance.now() + pauseMs > until) throw refusal;
    await wait(pauseMs, undefined, { signal: call.signal });
  }
}

/**
 * Sends one request and reads its full answer. Reports only the code of a failed fetch, because its message may quote the
 * request.
 */
async function exchange(
  { baseUrl }: ModelService,
  { path, headers, body, signal }: ModelCall,
): Promise<Exchange> {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // Following a redirect would send the key to another host.
      redirect: 'error',
      signal,
    });
    return { response, text: await readBounded(response, maxBytes) };
  } catch (error) {
    throw new SummarizerError(`could not be reached${codeIn(error)}`, 'unreachable');
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function codeIn(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return word.test(code) ? `: ${code}` : '';
}
