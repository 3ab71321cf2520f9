import { createHmac, type KeyObject } from 'node:crypto';

import { v5 } from 'uuid';

import { type EnvelopeFacts, withAppendIndex } from '#event-sourcing';
import { sha256 } from '#read-models';
import { type ContextCommand, type ContextId } from '#shared-context';

import { authorizeAgent } from '../access/claimed-agents.js';
import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { ForbiddenError } from '../errors.js';
import { newId } from '../new-id.js';
import { type WriteRequest } from './write-context.command.js';

/**
 * Namespace of event ids that are derived from idempotency keys. It must never change, or retries would not find their
 * first answer.
 */
const eventIdNamespace = '5b1f0e0c-7d55-5c3a-9c76-3a1f6f7f2a10';

/** A write that is ready for the decision: authorized, with all references resolved. */
export type PreparedWrite = Readonly<{
  id: ContextId;
  principal: Principal;
  commands: readonly ContextCommand[];
  /** See {@link WriteRequest}. */
  derive?: string | undefined;
  batch: boolean;
  places?: WriteRequest['places'];
  claims?: WriteRequest['claims'];
  refusal: unknown;
  allOrNothing?: boolean | undefined;
  /** The items that the commands name and that are hidden from the principal. */
  hidden?: WriteRequest['hidden'];
  ifMatch: number | undefined;
  facts: Pick<
    EnvelopeFacts,
    'principal' | 'origin' | 'correlationId' | 'causationId' | 'basedOn' | 'trust'
  >;
  repeat: Readonly<{ key: string; fingerprint: string }> | undefined;
  /**
   * Returns the id of an event of this write, which encodes its index and the number of events. Every try with the same
   * idempotency key and the same number of events gets the same ids.
   */
  eventId: (place: Readonly<{ index: number; count: number }>) => string;
}>;

/** `fingerprintKey` is the key of the HMAC of the body, so that the hash reveals nothing about an erased body. */
export function prepareWrite(request: WriteRequest, fingerprintKey: KeyObject): PreparedWrite {
  const { principal, contextId, commands, derive, batch = false } = request;
  const { refusal, allOrNothing, places, claims, hidden, ifMatch } = request;
  const id = { workspace: principal.workspace, contextId };
  const repeat = repeatOf(request, fingerprintKey);
  return {
    id,
    principal,
    commands,
    derive,
    batch,
    places,
    claims,
    refusal,
    allOrNothing,
    hidden,
    ifMatch,
    facts: factsOf(request),
    repeat,
    eventId: (place) =>
      withAppendIndex(eventIdOf(request, id, { repeat, index: place.index }), place),
  };
}

function eventIdOf(
  { principal, startedUnder }: WriteRequest,
  id: ContextId,
  { repeat, index }: Pick<PreparedWrite, 'repeat'> & Readonly<{ index: number }>,
): string {
  if (repeat) return repeatedId(id, principal, repeat, index);
  if (startedUnder === undefined) return newId();
  return v5(JSON.stringify([id.workspace, id.contextId, startedUnder, index]), eventIdNamespace);
}

function repeatedId(
  { workspace, contextId }: ContextId,
  { name }: Principal,
  { key, fingerprint }: NonNullable<PreparedWrite['repeat']>,
  index: number,
): string {
  const scope = [workspace, contextId, name, key, fingerprint, index];
  return v5(JSON.stringify(scope), eventIdNamespace);
}

/** The scope of an idempotency key, hashed: workspace, principal, method and path. */
function idempotencyKeyHash(
  principal: Principal,
  request: Readonly<{ key: string; method: string; path: string }>,
): string {
  const scope = JSON.stringify([
    principal.workspace,
    principal.name,
    request.method,
    request.path,
    request.key,
    // An answer may contain data that other audiences of the same agent must not see.
    ...(seesEverything(principal) ? [] : [principal.audiences]),
  ]);
  return sha256(scope);
}

function repeatOf(
  { principal, idempotency }: WriteRequest,
  key: KeyObject,
): PreparedWrite['repeat'] {
  if (!idempotency) return undefined;
  return {
    key: idempotencyKeyHash(principal, idempotency),
    fingerprint: createHmac('sha256', key).update(idempotency.body).digest('hex'),
  };
}

function factsOf({ principal, origin = {} }: WriteRequest): PreparedWrite['facts'] {
  const { correlationId = null, causationId = null, basedOn = null } = origin;
  const agentId = authorizeAgent(principal, origin.agentId);
  return {
    principal: principal.name,
    origin: agentId === null ? null : { agentId, timestamp: null },
    correlationId,
    causationId,
    basedOn,
    trust: trustOf(principal, origin.trust),
  };
}

/** The trust level of a write: the requested one, within the limits of the principal. */
export function trustOf(
  { role }: Principal,
  stated: EnvelopeFacts['trust'] | undefined,
): EnvelopeFacts['trust'] {
  if (role !== 'agent') return stated ?? 'human';
  if (stated === 'human')
    throw new ForbiddenError(
      'an agent key cannot vouch for a person: send Trust: agent, tool or web',
    );
  return stated ?? 'agent';
}

/** All writes of a round have the same context. */
export function firstOf([first]: readonly PreparedWrite[]): PreparedWrite {
  if (!first) throw new Error('a round holds at least one write');
  return first;
}
