import { type Query } from './address.js';
import { type Fetch } from './http-answer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type HttpOptions = Readonly<{
  /** The address of the server, such as `http://127.0.0.1:3000`. */
  url: string | URL;
  /** The secret of a key. */
  key?: string | undefined;
  /** The workspace; for the root key only. */
  workspace?: string | undefined;
  fetch?: Fetch | undefined;
  /** Maximum number of retries without an answer, or after 429, 502, 503 or 504; 2 by default. */
  maxRetries?: number | undefined;
  /** The timeout of one attempt of a request; 90 s by default, because long polls take up to 60 s; `Infinity` disables the limit. */
  timeoutMs?: number | undefined;
}>;

/** Options of a write. */
export type WriteOptions = Readonly<{
  /** The version on which the write was decided, or an unchanged `ETag`. */
  expectedVersion?: number | string | undefined;
  /** The receipt of the author's read. */
  basedOn?: string | undefined;
  /** By default a new key for each call; all retries of the call use the same key. */
  idempotencyKey?: string | undefined;
  correlationId?: string | undefined;
  causationId?: string | undefined;
  trust?: 'human' | 'agent' | 'tool' | 'web' | undefined;
  signal?: AbortSignal | undefined;
}>;

export type Parse = 'json' | 'text' | 'response';

export type RequestOptions = WriteOptions &
  Readonly<{
    query?: Query | undefined;
    /** Sent as JSON; with a `contentType`, a string is sent unchanged. */
    body?: unknown;
    contentType?: string | undefined;
    /** By lowercase name. */
    headers?: Readonly<Record<string, string | undefined>> | undefined;
    /** `response`: the answer of `fetch` with an unread body. */
    parse?: Parse | undefined;
    maxRetries?: number | undefined;
    timeoutMs?: number | undefined;
  }>;
