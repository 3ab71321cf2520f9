import { type Query } from './address.js';
import { type Api } from './api.js';
import { type Method, type WriteOptions } from './request-options.js';

/** A request of the API by its method and path: `PUT /v1/policies/{audience}`. */
export type Operation = keyof Api.Operations;

/** What a request states: `path`, `query` and `body`, as far as it has them. */
export type OperationInput<Name extends Operation> = Omit<Api.Operations[Name]['request'], 'url'>;

/** The body of its answer. */
export type OperationAnswer<Name extends Operation> = Api.Operations[Name]['answer'];

/** The input may be left out if all that it states may be. */
export type OperationArguments<Name extends Operation> =
  Record<never, never> extends OperationInput<Name>
    ? [input?: OperationInput<Name>, options?: WriteOptions]
    : [input: OperationInput<Name>, options?: WriteOptions];

type AnyInput = Readonly<{ path?: object | undefined; query?: object | undefined; body?: unknown }>;

export function requestOf(operation: Operation, { path = {}, query, body }: AnyInput = {}) {
  // Every operation is named so.
  const [method, template] = operation.split(' ') as [Method, string];
  const segments: Readonly<Record<string, unknown>> = { ...path };
  const below = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(segments[name])),
  );
  return { method, below, stated: { query: { ...query } as Query, body } };
}
