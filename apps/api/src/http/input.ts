import { type IncomingHttpHeaders } from 'node:http';

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import { ForbiddenError, type Principal, type Role } from '#application';

import { ProblemError } from '../problems/problem.error.js';
import { writeHeaders } from './answers.schema.js';
import { clientSignal } from './connections.js';
import { type Access, type BodyOf, type Endpoint, type PathOf, type QueryOf } from './endpoint.js';
import { readWorkspace, readWriteHeaders, type WriteHeaders } from './headers.js';
import { parseInput } from './parse-input.js';
import { pathParams } from './path-params.js';
import { isDecodable } from './request-checks.js';
import { TextBody } from './text-body.js';

/** A request, parsed as its endpoint declares. */
export type InputOf<Declared> = RequestFacts &
  Readonly<{
    params: Readonly<Record<PathOf<Declared>, string>>;
    query: QueryOf<Declared>;
    body: BodyOf<Declared>;
  }>;

export type RequestFacts = Readonly<{
  principal: Principal;
  headers: WriteHeaders;
  ifNoneMatch: string | undefined;
  lastEventId: string | undefined;
  accept: string | undefined;
  /** The scope and the fingerprint of an idempotency key are computed from `method`, `path` and `bodyText`. */
  method: string;
  path: string;
  bodyText: string;
  /** Aborts if the client disconnects. */
  signal: AbortSignal;
}>;

const rolesFor: Readonly<Record<Access, readonly Role[]>> = {
  public: ['agent', 'operator', 'auditor', 'admin'],
  read: ['agent', 'operator', 'auditor', 'admin'],
  write: ['agent', 'operator', 'admin'],
  operate: ['operator', 'admin'],
  audit: ['auditor', 'admin'],
  admin: ['admin'],
  root: ['admin'],
};

const noQuery = z.strictObject({});
const paramSchemas: Readonly<Record<string, z.ZodType<string>>> = pathParams;
const rawParams = z.record(z.string(), z.string());

/** Parses headers, path, query and body for an endpoint, then refuses keys whose role does not allow the access. */
export const Input = createParamDecorator((declared: Endpoint, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return readInput(declared, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

function readInput(declared: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const headers = readWriteHeaders(declared.headers === writeHeaders ? request.headers : {});
  const params = readParams(request.params);
  const query = readQuery(declared, request);
  const body = readBody(declared, request.body, params);
  const { principal } = request;
  if (!principal) throw new ProblemError('unauthenticated', 'this endpoint needs a key');
  requireAccess(declared.access, principal, request.headers);
  return {
    principal,
    headers,
    ifNoneMatch: request.headers['if-none-match'],
    lastEventId: singleText(request.headers['last-event-id']),
    accept: request.headers.accept,
    method: request.method,
    get path() {
      return canonicalPath(declared.path, params);
    },
    bodyText: comparedBody(declared, request),
    params,
    query,
    body,
    get signal() {
      return clientSignal(reply.raw);
    },
  };
}

/**
 * Refuses by role before any data is read, so that 403 takes precedence over 404. The application checks the same and finer rules,
 * also for callers that do not use HTTP.
 */
function requireAccess(access: Access, principal: Principal, headers: IncomingHttpHeaders): void {
  const workspace = readWorkspace(headers);
  if (workspace !== undefined && workspace !== principal.workspace)
    throw new ForbiddenError('only the root key may name a workspace');
  if (!rolesFor[access].includes(principal.role))
    throw new ForbiddenError(`a key of role ${principal.role} may not do this`);
  if (access === 'root' && !principal.isRoot)
    throw new ForbiddenError('only the root key may do this: it concerns every workspace');
}

/** An empty header counts as missing. */
function singleText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readParams(raw: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rawParams.parse(raw ?? {})).map(([name, text]) => {
      const schema = paramSchemas[name];
      if (!schema) throw new Error(`no schema for the path parameter "${name}"`);
      return [name, parseShort(schema, text, [name])];
    }),
  );
}

function readQuery({ query = noQuery }: Endpoint, request: FastifyRequest): unknown {
  const [, text = ''] = request.originalUrl.split('?', 2);
  if (!isDecodable(text))
    throw new ProblemError('validation-failed', 'the query is not percent-encoded UTF-8');
  // Copied by entries, so that a parameter named __proto__ is refused like any other unknown one.
  return parseShort(query, Object.fromEntries(Object.entries(request.query ?? {})));
}

/** Parses a short part of a URL with zod directly; bodies are parsed entry by entry. */
function parseShort<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within?: readonly PropertyKey[],
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : parseInput(schema, value, within);
}

function readBody({ body }: Endpoint, sent: unknown, params: Record<string, string>): unknown {
  if (sent instanceof TextBody) requireText(body, sent);
  if (!body) return undefined;
  if (sent === undefined && !body.optional)
    throw new ProblemError(
      'invalid-json',
      'this endpoint requires a JSON body, and the request has none',
    );
  return body.read(sent ?? (body.optional ? {} : sent), params);
}

function requireText(body: Endpoint['body'], { mediaType }: TextBody): void {
  if (body?.mediaType === undefined)
    throw new ProblemError('unsupported-media-type', `${mediaType} is accepted by imports only`);
}

/** A missing body and an empty object are the same request. */
function comparedBody({ body }: Endpoint, { bodyText, body: sent }: FastifyRequest): string {
  return body?.optional && Object.keys(sent ?? {}).length === 0 ? '{}' : bodyText;
}

/** The path with canonical percent-encoding, so that every spelling of a path has the same idempotency scope. */
function canonicalPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
