import { applyDecorators, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type z } from 'zod';

import { type ProblemCode } from '../problems/problem-code.js';
import { type BodyReader } from './body.reader.js';
import { type PathParam } from './path-params.js';

/**
 * The keys that may call an endpoint: `public` none needed, `read` any key, `write` all roles except auditors, `operate` people,
 * `audit` auditors and admins, `admin` admins, `root` only the root key.
 */
export type Access = 'public' | 'read' | 'write' | 'operate' | 'audit' | 'admin' | 'root';

/**
 * The answer to a key of a narrower audience. `gated`: content filtered by its policy. `written`: an answer about its own write.
 * `whole`: a refusal, because the endpoint needs a key that sees everything. `none`: the answer contains no data of contexts.
 */
type AudienceRule = 'gated' | 'written' | 'whole' | 'none';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type DocumentedAnswer = Readonly<{
  description: string;
  schema?: z.ZodType;
  mediaType?: string;
  /** Further media types of the answer. */
  otherMediaTypes?: readonly string[];
  headers?: readonly string[];
}>;

/** The declaration of an endpoint: its input, its access and its documentation. */
export type Endpoint<Path extends string = string, Query = unknown, Body = unknown> = Readonly<{
  method: Method;
  /** In the notation of OpenAPI: `/v1/contexts/{contextId}`. */
  path: Path;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  audience: AudienceRule;
  /**
   * The size that determines the cost of a request; large requests run in a worker thread. `context`: the size of the context. `document`: the size of
   * the context, or of the document parts in the query; equal requests share one read. `body`: the size of the documents in the body.
   * `export`: the size of the context, unless it is exported as events.
   */
  cost?: 'context' | 'document' | 'body' | 'export';
  query?: z.ZodType<Query>;
  body?: BodyReader<Body>;
  /** Headers that the endpoint reads, in addition to Authorization. */
  headers?: readonly string[];
  answers: Readonly<Record<number, DocumentedAnswer>>;
  problems?: readonly ProblemCode[];
  /** A valid body. */
  example?: unknown;
}>;

export type PathOf<Declared> = Declared extends Endpoint<infer Path> ? PathParam<Path> : never;
export type QueryOf<Declared> = Declared extends { query: z.ZodType<infer Query> }
  ? Query
  : unknown;
export type BodyOf<Declared> = Declared extends { body: BodyReader<infer Body> } ? Body : undefined;

const endpointMetadata = 'throughline:endpoint';
const reflector = new Reflector();

/** Identity function that preserves the literal types of a declaration. */
export function endpoint<const Path extends string, Declared extends Endpoint<Path>>(
  declared: Declared & { path: Path },
): Declared & { path: Path } {
  return declared;
}

/** Makes a method of a controller the handler of an endpoint. */
export function Handles(declared: Endpoint): MethodDecorator {
  const path = declared.path.replaceAll(/\{(\w+)\}/g, ':$1');
  return applyDecorators(
    RequestMapping({ path, method: RequestMethod[declared.method] }),
    SetMetadata(endpointMetadata, declared),
  );
}

/** An endpoint with the name of its handler. */
export type NamedEndpoint = Endpoint & Readonly<{ name: string }>;

/** The endpoints that a controller class declares with {@link Handles}. */
export function endpointsOf(controller: { prototype: object }): readonly NamedEndpoint[] {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype));
  return methods.flatMap(([name, { value }]: [string, Readonly<{ value?: unknown }>]) => {
    const declared =
      value instanceof Function
        ? reflector.get<Endpoint | undefined>(endpointMetadata, value)
        : undefined;
    return declared ? [{ ...declared, name }] : [];
  });
}
