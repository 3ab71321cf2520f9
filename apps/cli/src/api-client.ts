import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import {
  type Answer,
  type Fetch,
  type FetchAnswer,
  isThroughlineError,
  Throughline,
} from '@throughline/sdk';
import { type z } from 'zod';

import { CliError } from './cli-error.js';
import { type Connection } from './credentials.js';
import { exitCodes } from './exit-code.js';
import { problemOf } from './problem.js';
import { sendRequest } from './send-request.js';

/** Longer than the longest long poll; a streamed response has no limit. */
const timeoutsMs = { text: 90_000, response: Infinity };

export type ApiRequest = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/v1/`, with segments encoded by {@link path}. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON text, sent unchanged. */
  body?: string | undefined;
  /** The media type of the body; JSON by default. */
  contentType?: string;
  headers?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}>;

/** `text`: the body; `receipt`: the receipt of the read; `headers`: by lowercase name. */
export type ApiAnswer = Readonly<{
  status: number;
  text: string;
  version: string | null;
  receipt: string | null;
  headers: IncomingHttpHeaders;
}>;

export type ApiClient = Readonly<{
  /** Throws {@link ProblemError} unless the status is 2xx. */
  send: (request: ApiRequest) => Promise<ApiAnswer>;
  /** Streams the body without a timeout. Throws like `send`, and if the connection breaks. */
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

/** Parses an answer. Throws an error that names the unsupported members. */
export function parseAnswer<Output>(schema: z.ZodType<Output>, { text }: ApiAnswer): Output {
  const parsed = schema.safeParse(decode(text));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path }) => `/${path.join('/')}`);
  throw new CliError(`the server's answer has an unsupported value at ${places.join(', ')}`, {
    next: '--json prints it unchanged; check that the server and throughline have the same version',
  });
}

/** Returns the version of the context that an answer states. */
export function versionOf({ version }: ApiAnswer): number {
  const [, digits] = /^(?:W\/)?"(\d+)/.exec(version ?? '') ?? [];
  if (digits !== undefined) return Number(digits);
  throw new CliError("the server's answer states no version");
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError("the server's answer is not JSON", {
      cause,
      next: 'is this the address of a Throughline server?',
    });
  }
}

async function send(connection: Connection, request: ApiRequest): Promise<ApiAnswer> {
  const { answer, headers } = await ask<string>(connection, request, 'text');
  const { receipt: value } = headers;
  const receipt = typeof value === 'string' ? value : null;
  const { status, body: text, etag: version = null } = answer;
  return { status, text, version, receipt, headers };
}

async function* read(connection: Connection, request: ApiRequest): AsyncGenerator<Uint8Array> {
  const { answer } = await ask<FetchAnswer>(connection, request, 'response');
  try {
    // The cast is safe: `sendRequest` returns a Node stream.
    yield* answer.body.body as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw noAnswer(connection.url, cause);
  }
}

/** Sends the request once: the user sees a failure immediately and can repeat the command. */
async function ask<Body>(
  connection: Connection,
  { method = 'GET', path: below, contentType = 'application/json', ...request }: ApiRequest,
  parse: 'text' | 'response',
): Promise<Readonly<{ answer: Answer<Body>; headers: IncomingHttpHeaders }>> {
  let headers: IncomingHttpHeaders = {};
  const client = createClient(connection, (message) => ({ headers } = message));
  const options = { ...request, contentType, parse, timeoutMs: timeoutsMs[parse] };
  try {
    return { answer: await client.request<Body>(method, `/v1/${below}`, options), headers };
  } catch (error) {
    throw cliErrorOf(error, connection);
  }
}

/** Creates a client without retries. `onAnswer` is called with the head of each response. */
export function createClient(
  { url, key, workspace }: Connection,
  onAnswer: (message: IncomingMessage) => void,
): Throughline {
  const fetch: Fetch = async (address, sent) => {
    const message = await sendRequest(new URL(address), sent);
    onAnswer(message);
    return fetchAnswerOf(message);
  };
  return new Throughline({ url, key, workspace, fetch, maxRetries: 0 });
}

/** Returns the error of a command for an error of the client. */
export function cliErrorOf(error: unknown, { url }: Connection): CliError {
  if (error instanceof CliError) return error;
  // A successful response that is not JSON does not come from a Throughline server.
  if (!isThroughlineError(error) || (error.status ?? 0) < 300) return noAnswer(url, error);
  const { status = 0, text = '', retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? null : String(Math.ceil(retryAfterMs / 1_000));
  return problemOf(status, text, retryAfter);
}

function fetchAnswerOf(message: IncomingMessage): FetchAnswer {
  const { statusCode: status = 0, headers } = message;
  const get = (name: string) => headers[name]?.toString() ?? null;
  return { status, headers: { get }, text: () => textOf(message), body: message };
}

function noAnswer(url: URL, cause: unknown): CliError {
  const message = isThroughlineError(cause, 'no-answer')
    ? cause.message
    : `no answer from ${url.origin}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new CliError(message, {
    cause,
    exitCode: exitCodes.unavailable,
    next: 'check that the server runs: "throughline start" starts one here; --url or THROUGHLINE_URL selects another',
  });
}
