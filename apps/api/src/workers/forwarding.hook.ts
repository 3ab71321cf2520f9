import { type QueryBus } from '@nestjs/cqrs';
import { type IncomingHttpHeaders } from 'node:http';

import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import {
  FindReaderGroupQuery,
  IsLargeContextQuery,
  type Principal,
  ReissueReceiptQuery,
} from '#application';
import { isJsonObject } from '#event-sourcing';

import { partsQuery } from '../contexts/document-parts.schema.js';
import { clientSignal } from '../http/connections.js';
import { type Endpoint } from '../http/endpoint.js';
import { pathParams } from '../http/path-params.js';
import { eventsFormat } from '../moving/exchange-format.schema.js';
import { principalHeader } from './forwarded-principals.js';
import { ReaderGroups, type WorkerAnswer } from './reader-groups.js';
import { SharedMemory } from './shared-body.js';
import { type PoolCaller, type WorkerPool } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

/** Headers of the connection, which are not forwarded. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/** Limit for the bytes that slower clients of all shared answers have not read. */
const maxShared = 128 * 1_048_576;
/** A client that reads nothing for this time is disconnected if others have to wait for it. */
const stallMs = 5_000;

/** In UTF-16 units; parsing longer documents takes more than some hundredths of a second. */
const longTextLength = 32_768;

const currentParts = z.strictObject({ ...partsQuery, audience: z.literal('all').optional() });

type Cost = NonNullable<Endpoint['cost']>;

type ContextRequest = Readonly<{
  request: FastifyRequest;
  principal: Principal;
  contextId: string;
}>;

/**
 * Forwards requests for large contexts to a worker, so that they do not delay others; answering small ones is cheaper than forwarding
 * them. Runs after the key was checked and the body was read.
 */
export function forwardingHook(
  workers: WorkerPool,
  queries: QueryBus,
  expensiveRoutes: ReadonlyMap<string, Cost>,
) {
  const groups = new ReaderGroups(workers, { memory: new SharedMemory(maxShared), stallMs });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { principal } = request;
    const cost = costOf(request, expensiveRoutes);
    if (!principal || !cost) return;
    if (cost === 'body') return sendAlone(reply, { call: { request, principal }, workers });
    const contextId = pathParams.contextId.safeParse(memberOf(request.params, 'contextId'));
    // The endpoint reports the fault.
    if (!contextId.success) return;
    const members = cost === 'document' ? membersIn(request.query) : undefined;
    const isLarge = new IsLargeContextQuery(principal, contextId.data, members);
    if (!(await queries.execute(isLarge))) return;
    const call = { request, principal, contextId: contextId.data };
    return cost === 'document'
      ? sendShared(reply, { call, groups, queries })
      : sendAlone(reply, { call, workers });
  };
}

/** Undefined if the request is cheap: events are imported and exported in slices, and short documents are parsed quickly. */
function costOf(request: FastifyRequest, routes: ReadonlyMap<string, Cost>): Cost | undefined {
  const cost = routes.get(`${methodOf(request)} ${request.routeOptions.url}`);
  if (cost !== 'body' && cost !== 'export') return cost;
  const format = memberOf(request.query, 'format');
  const isShort = cost === 'body' && request.bodyText.length < longTextLength;
  return format === eventsFormat || isShort ? undefined : cost;
}

/** A member of the path or query parameters, whose values are texts or lists of texts. */
function memberOf(parts: unknown, name: string): unknown {
  return isJsonObject(parts) ? parts[name] : undefined;
}

type AuthenticatedRequest = Pick<ContextRequest, 'request' | 'principal'>;

async function sendAlone(
  reply: FastifyReply,
  { call, workers }: Readonly<{ call: AuthenticatedRequest; workers: WorkerPool }>,
): Promise<FastifyReply> {
  const answer = await workers.forward(forwarded(call), callerOf(call, reply));
  const { statusCode = 500, headers } = answer;
  return send(reply, { statusCode, headers, body: answer });
}

async function sendShared(
  reply: FastifyReply,
  {
    call,
    groups,
    queries,
  }: Readonly<{ call: ContextRequest; groups: ReaderGroups; queries: QueryBus }>,
): Promise<FastifyReply> {
  const name = await groupOf(queries, call);
  const answer = await groups.forward(name, forwarded(call), callerOf(call, reply));
  try {
    const own = answer.isShared ? await ownHeaders(queries, answer.headers, call) : {};
    return send(reply, { ...answer, headers: { ...answer.headers, ...own } });
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

function callerOf({ principal }: AuthenticatedRequest, reply: FastifyReply): PoolCaller {
  return { key: keyOf(principal), signal: clientSignal(reply.raw) };
}

/** The members that a query selects from the current document for the audience `all`; undefined for any other query. */
function membersIn(query: unknown): readonly string[] | undefined {
  return currentParts.safeParse(query).data?.parts;
}

/** The name of the group of the request; requests of a group get the same bytes. */
async function groupOf(
  queries: QueryBus,
  { request, principal, contextId }: ContextRequest,
): Promise<string> {
  const audience = memberOf(request.query, 'audience');
  const reader = { principal, contextId, ...(typeof audience === 'string' && { audience }) };
  const name = await queries.execute(new FindReaderGroupQuery(reader));
  const { method, originalUrl, headers } = request;
  return JSON.stringify([name, method, originalUrl, headers['if-none-match'] ?? null]);
}

/** The headers of a shared answer that must be replaced for each request: its id, and its receipt. */
async function ownHeaders(
  queries: QueryBus,
  { receipt }: IncomingHttpHeaders,
  { request, principal }: ContextRequest,
): Promise<IncomingHttpHeaders> {
  const own = { 'x-request-id': request.id };
  if (typeof receipt !== 'string') return own;
  return { ...own, receipt: await queries.execute(new ReissueReceiptQuery(receipt, principal)) };
}

function forwarded({ request, principal }: AuthenticatedRequest): ForwardedRequest {
  const { id, headers, originalUrl: path, method, bodyText } = request;
  const forwardedHeaders = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
  const own = { 'x-request-id': id, ...principalHeader(principal) };
  return {
    method,
    path,
    headers: { ...Object.fromEntries(forwardedHeaders), ...own },
    body: methodOf(request) === 'GET' ? undefined : bodyText,
  };
}

function send(
  reply: FastifyReply,
  { statusCode, headers, body }: Pick<WorkerAnswer, 'statusCode' | 'headers' | 'body'>,
): FastifyReply {
  const forwardedHeaders = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
  return reply.code(statusCode).headers(Object.fromEntries(forwardedHeaders)).send(body);
}

/** HEAD costs as much as GET. */
function methodOf({ method }: FastifyRequest): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** The key that takes turns; all requests of the root key in a workspace share one. */
function keyOf({ workspace, keyId }: Principal): string {
  return keyId ?? `root of ${workspace}`;
}
