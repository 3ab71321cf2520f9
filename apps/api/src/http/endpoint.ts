import { applyDecorators, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type z } from 'zod';

import { type ProblemCode } from '../problems/problem-code.js';
import { type BodyReader } from './body.reader.js';
import { type PathParam } from './path-params.js';

/**
 * Who may call: `public` needs no key, `read` any, `write` all but auditors, `operate` people, `audit` auditors and
 * admins, `admin` admins, `root` the root key alone.
 */
export type Access = 'public' | 'read' | 'write' | 'operate' | 'audit' | 'admin' | 'root';

/**
 * What a key of a narrower audience gets: `gated` what its policy shows, `written` an answer to what it wrote itself,
 * `whole` nothing, since it needs to see everything, `none` what holds nothing of any context.
 */
type AudienceRule = 'gated' | 'written' | 'whole' | 'none';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type DocumentedAnswer = Readonly<{
  description: string;
  schema?: z.ZodType;
  mediaType?: string;
  /** In which it is answered beside `mediaType`. */
  otherMediaTypes?: readonly string[];
  headers?: readonly string[];
}>;

/** All an endpoint is, beside its handler: what is parsed, who may call, what the documentation says. */
export type Endpoint<Path extends string = string, Query = unknown, Body = unknown> = Readonly<{
  method: Method;
  /** As OpenAPI writes it: `/v1/contexts/{contextId}`. */
  path: Path;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  audience: AudienceRule;
  /**
   * `context`: it may cost as much as the context has, and is left to a worker if that is large; `document`: the same, or as
   * much as those parts of the document have that the query names, and requests for the same share one read; `body`: as much
   * as the documents in the body have; `export`: as much as the context has, if it is not exported as events.
   */
  cost?: 'context' | 'document' | 'body' | 'export';
  query?: z.ZodType<Query>;
  body?: BodyReader<Body>;
  /** Headers it reads beside authorization. */
  headers?: readonly string[];
  answers: Readonly<Record<number, DocumentedAnswer>>;
  problems?: readonly ProblemCode[];
  /** A body that works. */
  example?: unknown;
}>;

export type PathOf<Declared> = Declared extends Endpoint<infer Path> ? PathParam<Path> : never;
export type QueryOf<Declared> = Declared extends { query: z.ZodType<infer Query> }
  ? Query
  : unknown;
export type BodyOf<Declared> = Declared extends { body: BodyReader<infer Body> } ? Body : undefined;

const endpointMetadata = 'throughline:endpoint';
const reflector = new Reflector();

/** Keeps the literal types of a declaration. */
export function endpoint<const Path extends string, Declared extends Endpoint<Path>>(
  declared: Declared & { path: Path },
): Declared & { path: Path } {
  return declared;
}

/** Makes a controller's method the handler of an endpoint. */
export function Handles(declared: Endpoint): MethodDecorator {
  const path = declared.path.replaceAll(/\{(\w+)\}/g, ':$1');
  return applyDecorators(
    RequestMapping({ path, method: RequestMethod[declared.method] }),
    SetMetadata(endpointMetadata, declared),
  );
}

/** An endpoint under the name of its handler. */
export type NamedEndpoint = Endpoint & Readonly<{ name: string }>;

/** The endpoints a controller class declares with {@link Handles}. */
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
