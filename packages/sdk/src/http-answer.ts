/** The part of a `Response` that the client uses, so that other HTTP clients can replace `fetch`. */
export type FetchAnswer = Readonly<{
  status: number;
  headers: Readonly<{ get: (name: string) => string | null }>;
  text: () => Promise<string>;
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
}>;

export type FetchRequest = Readonly<{
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: 'error';
}>;

/** `globalThis.fetch` or a compatible function: it rejects if there is no answer. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchAnswer>;

export type Answer<T> = Readonly<{
  status: number;
  headers: FetchAnswer['headers'];
  /** Undefined if the answer has no content. */
  body: T;
  /** The unchanged `ETag`, for `If-None-Match` or as `expectedVersion`. */
  etag?: string;
}>;
