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
import { type Asker, type WorkerPool } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

/** Headers that concern one connection, and not the answer. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/** What the slower readers of shared answers have still to take, of all answers together. */
const maxShared = 128 * 1_048_576;
/** A reader that takes nothing for so long is cut off if others have to wait for it. */
const stallMs = 5_000;

/** UTF-16 units of documents that take some hundredths of a second to read. */
const longText = 32_768;

const currentParts = z.strictObject({ ...partsQuery, audience: z.literal('all').optional() });

type Cost = NonNullable<Endpoint['cost']>;

type ContextRequest = Readonly<{
  request: FastifyRequest;
  principal: Principal;
  contextId: string;
}>;

/**
 * Has requests for large contexts answered by a worker, so that others need not wait for them; small ones cost less than
 * the way there. The key is checked and the body read before.
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
    if (cost === 'body') return sendAlone(reply, { asked: { request, principal }, workers });
    const contextId = pathParams.contextId.safeParse(memberOf(request.params, 'contextId'));
    // The endpoint says what is wrong with it.
    if (!contextId.success) return;
    const members = cost === 'document' ? membersIn(request.query) : undefined;
    const isLarge = new IsLargeContextQuery(principal, contextId.data, members);
    if (!(await queries.execute(isLarge))) return;
    const asked = { request, principal, contextId: contextId.data };
    return cost === 'document'
      ? sendShared(reply, { asked, groups, queries })
      : sendAlone(reply, { asked, workers });
  };
}

/** Undefined if it costs little: events are moved in slices, and short documents are read at once. */
function costOf(request: FastifyRequest, routes: ReadonlyMap<string, Cost>): Cost | undefined {
  const cost = routes.get(`${methodOf(request)} ${request.routeOptions.url}`);
  if (cost !== 'body' && cost !== 'export') return cost;
  const format = memberOf(request.query, 'format');
  const isShort = cost === 'body' && request.bodyText.length < longText;
  return format === eventsFormat || isShort ? undefined : cost;
}

/** Parts of an address are texts or lists of texts. */
function memberOf(parts: unknown, name: string): unknown {
  return isJsonObject(parts) ? parts[name] : undefined;
}

type AuthenticatedRequest = Pick<ContextRequest, 'request' | 'principal'>;

async function sendAlone(
  reply: FastifyReply,
  { asked, workers }: Readonly<{ asked: AuthenticatedRequest; workers: WorkerPool }>,
): Promise<FastifyReply> {
  const answer = await workers.forward(forwarded(asked), askerOf(asked, reply));
  const { statusCode = 500, headers } = answer;
  return send(reply, { statusCode, headers, body: answer });
}

async function sendShared(
  reply: FastifyReply,
  {
    asked,
    groups,
    queries,
  }: Readonly<{ asked: ContextRequest; groups: ReaderGroups; queries: QueryBus }>,
): Promise<FastifyReply> {
  const name = await groupOf(queries, asked);
  const answer = await groups.forward(name, forwarded(asked), askerOf(asked, reply));
  try {
    const own = answer.isShared ? await ownHeaders(queries, answer.headers, asked) : {};
    return send(reply, { ...answer, headers: { ...answer.headers, ...own } });
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

function askerOf({ principal }: AuthenticatedRequest, reply: FastifyReply): Asker {
  return { key: keyOf(principal), signal: clientSignal(reply.raw) };
}

/** The members that a query selects of the current document for the audience `all`; undefined for any other query. */
function membersIn(query: unknown): readonly string[] | undefined {
  return currentParts.safeParse(query).data?.parts;
}

/** Requests of the same group are answered with the same bytes. */
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

/** What an answer says of the one request it was made for, said of another. */
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
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  const own = { 'x-request-id': id, ...principalHeader(principal) };
  return {
    method,
    path,
    headers: { ...Object.fromEntries(kept), ...own },
    body: methodOf(request) === 'GET' ? undefined : bodyText,
  };
}

function send(
  reply: FastifyReply,
  { statusCode, headers, body }: Pick<WorkerAnswer, 'statusCode' | 'headers' | 'body'>,
): FastifyReply {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  return reply.code(statusCode).headers(Object.fromEntries(kept)).send(body);
}

/** Whoever asks for the head alone asks for all the work. */
function methodOf({ method }: FastifyRequest): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** All requests of the root key take one turn. */
function keyOf({ workspace, keyId }: Principal): string {
  return keyId ?? `root of ${workspace}`;
}
