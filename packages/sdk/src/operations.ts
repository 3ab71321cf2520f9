import { type Query } from './address.js';
import { type Api } from './api.js';
import { type Method, type WriteOptions } from './request-options.js';

type HasText<Name extends keyof Api.Operations> = Api.Operations[Name] extends
  | { request: { body: string } }
  | { answer: string }
  ? true
  : false;

/** A request of the API by its method and path: `PUT /v1/policies/{audience}`. Requests with a body or an answer that is text or a stream are excluded. */
export type Operation = {
  [Name in keyof Api.Operations]: HasText<Name> extends true ? never : Name;
}[keyof Api.Operations];

/** The input of a request: `path`, `query` and `body`, if it has them. */
export type OperationInput<Name extends Operation> = Omit<Api.Operations[Name]['request'], 'url'>;

/** The body of the answer. */
export type OperationAnswer<Name extends Operation> = Api.Operations[Name]['answer'];

/** The input is optional if all its members are. */
export type OperationArguments<Name extends Operation> =
  Record<never, never> extends OperationInput<Name>
    ? [input?: OperationInput<Name>, options?: WriteOptions]
    : [input: OperationInput<Name>, options?: WriteOptions];

type AnyInput = Readonly<{ path?: object | undefined; query?: object | undefined; body?: unknown }>;

/** Requests that are not retried, because that could create two keys. */
const sentOnce: ReadonlySet<Operation> = new Set(['POST /v1/keys']);

/** Throws a TypeError if a segment of the path is missing. */
export function requestOf(operation: Operation, { path = {}, query, body }: AnyInput = {}) {
  // The cast is safe: the name of every operation has this form.
  const [method, template] = operation.split(' ') as [Method, string];
  const segments: Readonly<Record<string, unknown>> = { ...path };
  const below = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = String(segments[name] ?? '');
    if (segment === '') throw new TypeError(`${operation} needs path.${name}`);
    return encodeURIComponent(segment);
  });
  const retries = sentOnce.has(operation) ? { maxRetries: 0 } : {};
  return { method, below, options: { query: { ...query } as Query, body, ...retries } };
}
