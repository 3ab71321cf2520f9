import { type Method, type RequestOptions } from './request-options.js';

/** A write as it was sent. `tl.request(method, path, options)` sends it again; it is stored only once. */
export type SentWrite = Readonly<{
  method: Method;
  path: string;
  options: Omit<RequestOptions, 'signal' | 'idempotencyKey'> & Readonly<{ idempotencyKey: string }>;
}>;

/**
 * Returns undefined for a request without an idempotency key, which is a read. The body is the sent text, because the caller may
 * change the object.
 */
export function sentWrite(
  method: Method,
  path: string,
  {
    signal: _signal,
    idempotencyKey,
    ...options
  }: RequestOptions & Readonly<{ body: string | undefined }>,
): SentWrite | undefined {
  if (idempotencyKey === undefined) return undefined;
  const contentType = options.contentType ?? 'application/json';
  const encoded = options.body === undefined ? {} : { contentType };
  return { method, path, options: { ...options, ...encoded, idempotencyKey } };
}
