import { type IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import { type z } from 'zod';

import { CliError } from './cli-error.js';
import { type Connection } from './credentials.js';
import { exitCodes } from './exit-code.js';
import { problemOf } from './problem.js';
import { type SentRequest, sendRequest } from './send-request.js';

/** Longer than any answer the server holds back on purpose. */
const timeoutMs = 90_000;

export type ApiRequest = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base, segments already encoded by {@link path}. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON text, sent unchanged. */
  body?: string | undefined;
  /** Of a body that is not JSON. */
  contentType?: string;
  headers?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}>;

/** `text`: the body; `receipt`: the receipt of the read; `headers`: by their names in lower case. */
export type ApiAnswer = Readonly<{
  status: number;
  text: string;
  version: string | null;
  receipt: string | null;
  headers: IncomingHttpHeaders;
}>;

export type ApiClient = Readonly<{
  /** Throws {@link ProblemError} for any answer but 2xx. */
  send: (request: ApiRequest) => Promise<ApiAnswer>;
  /** The body as it arrives, however long that takes; throws as `send` does, or where it breaks off. */
  read: (request: ApiRequest) => AsyncIterable<Uint8Array>;
}>;

export function createApiClient(connect: () => Connection): ApiClient {
  return {
    send: (request) => send(connect(), request),
    read: (request) => read(connect(), request),
  };
}

/** Builds a path from segments that may hold any character: path`contexts/${id}/events`. */
export function path(literals: TemplateStringsArray, ...segments: readonly string[]): string {
  return String.raw({ raw: literals }, ...segments.map(encodeURIComponent));
}

/** Answers of a shape this command cannot use are the server's fault, and named. */
export function parseAnswer<Output>(schema: z.ZodType<Output>, { text }: ApiAnswer): Output {
  const parsed = schema.safeParse(decode(text));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path }) => `/${path.join('/')}`);
  throw new CliError(`the server's answer is not understood at ${places.join(', ')}`, {
    next: '--json prints it as it is; is the server of the same version as throughline?',
  });
}

/** The version of a context that an answer is of. */
export function versionOf({ version }: ApiAnswer): number {
  const [, digits] = /^(?:W\/)?"(\d+)/.exec(version ?? '') ?? [];
  if (digits !== undefined) return Number(digits);
  throw new CliError("the server's answer does not say which version it is of");
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('the server does not answer in JSON', {
      cause,
      next: 'is this the address of a Throughline server?',
    });
  }
}

async function send(connection: Connection, request: ApiRequest): Promise<ApiAnswer> {
  const { statusCode: status = 0, headers, text } = await reach(connection, request);
  if (!isSuccess(status)) throw problemOf(status, text, headers['retry-after'] ?? null);
  const { etag: version = null, receipt: stated } = headers;
  const receipt = typeof stated === 'string' ? stated : null;
  return { status, text, version, receipt, headers };
}

async function* read(connection: Connection, request: ApiRequest): AsyncGenerator<Uint8Array> {
  const { url } = connection;
  try {
    const answer = await sendRequest(addressOf(url, request), {
      ...requestOf(connection, request),
      signal: request.signal,
    });
    const { statusCode: status = 0, headers } = answer;
    if (!isSuccess(status))
      throw problemOf(status, await textOf(answer), headers['retry-after'] ?? null);
    yield* answer;
  } catch (cause) {
    throw cause instanceof CliError ? cause : noAnswer(url, cause);
  }
}

/** The whole answer: a server that goes away in the middle of it has not answered. */
async function reach(connection: Connection, request: ApiRequest) {
  const { url } = connection;
  try {
    const answer = await sendRequest(addressOf(url, request), requestOf(connection, request));
    const { statusCode, headers } = answer;
    return { statusCode, headers, text: await textOf(answer) };
  } catch (cause) {
    throw noAnswer(url, cause);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function noAnswer(url: URL, cause: unknown): CliError {
  return new CliError(`no answer from ${url.origin}: ${reasonOf(cause)}`, {
    cause,
    exitCode: exitCodes.unavailable,
    next: 'is it running? "throughline start" starts one here; --url or THROUGHLINE_URL names another',
  });
}

function requestOf({ key, workspace }: Connection, request: ApiRequest): SentRequest {
  const { method = 'GET', headers, body, contentType = 'application/json', signal } = request;
  const late = AbortSignal.timeout(timeoutMs);
  return {
    method,
    headers: {
      ...headers,
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      workspace,
      'content-type': body === undefined ? undefined : contentType,
    },
    body,
    signal: signal ? AbortSignal.any([signal, late]) : late,
  };
}

function addressOf(base: URL, { path: below, query = {} }: ApiRequest): URL {
  const address = new URL(`v1/${below}`, base);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // One error for each address of the host.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
