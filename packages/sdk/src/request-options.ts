import { type Query } from './address.js';
import { type Fetch } from './http-answer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type HttpOptions = Readonly<{
  /** Where the server is, such as `http://127.0.0.1:3000`. */
  url: string | URL;
  /** The secret of a key. */
  key?: string | undefined;
  /** The workspace to act in; for the root key only. */
  workspace?: string | undefined;
  fetch?: Fetch | undefined;
  /** How often a request is repeated that was not answered, or with 429, 502, 503 or 504; 2 by default. */
  maxRetries?: number | undefined;
  /** How long one try of a request may take until its answer is there; 90 s by default, as long polls take up to 60 s; `Infinity` is no limit. */
  timeoutMs?: number | undefined;
}>;

/** What a write states about itself. */
export type WriteOptions = Readonly<{
  /** The version the write was decided on, or an `ETag` as it was sent. */
  expectedVersion?: number | string | undefined;
  /** The receipt of what the author has read. */
  basedOn?: string | undefined;
  /** By default a new one for each call; it stays the same in all tries of the call. */
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
    /** Sent as JSON; with a `contentType`, a string is sent as it is. */
    body?: unknown;
    contentType?: string | undefined;
    /** By their names in lower case. */
    headers?: Readonly<Record<string, string | undefined>> | undefined;
    /** `response`: the answer of `fetch` with its body unread. */
    parse?: Parse | undefined;
    maxRetries?: number | undefined;
    timeoutMs?: number | undefined;
  }>;
