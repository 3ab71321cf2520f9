import { z } from 'zod';

import { DomainError } from '#event-sourcing';
import { type ContextSnapshot } from '#read-models';
import {
  CircuitOpenError,
  type ContextCommand,
  ContextExistsError,
  ContextNotFoundError,
  type CreateContext,
  type TripCircuitBreaker,
  isAtLimit,
  createsContext,
} from '#shared-context';
import { type Steps } from '#slices';
import { transformationLimits } from '#transformations';

import { reaches, requireCreatable } from '../access/reach.js';
import { IdempotencyKeyReusedError } from '../errors.js';
import { newId } from '../new-id.js';
import { type DecisionInputs, decideCommands } from './decide-commands.js';
import { ItemsMissingError } from './loaded-keys.js';
import {
  type Draft,
  type FinalDraft,
  emptyDraft,
  extendDraft,
  finalDraft,
  findExcess,
} from './draft.js';
import { type PreparedWrite } from './prepared-write.js';

/** The result of a write, provided that its round is stored. */
export type Outcome =
  | Readonly<{ kind: 'stored'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>
  | Readonly<{ kind: 'refused'; error: unknown }>
  /** The write is refused, but the event that its refusal caused is stored. */
  | Readonly<{ kind: 'recorded'; error: unknown; first: number; count: number }>;

export type Round = Readonly<{ draft: FinalDraft; outcomes: readonly Outcome[] }>;

/** The input of a round. */
export type RoundInput = DecisionInputs & Readonly<{ snapshot: ContextSnapshot }>;

/**
 * Decides writes one after another, each on the results of the ones before it, in steps of an event or less. Stops
 * before a write that would make the append too large, after a write that replaces the whole state, and once the
 * derivation of values has used up the steps of one write. So `outcomes` may be shorter than `writes`, but is never
 * empty. Throws {@link ItemsMissingError}.
 */
export function* decideRound(
  { snapshot, ...inputs }: RoundInput,
  writes: readonly PreparedWrite[],
): Steps<Round> {
  const empty = emptyDraft(snapshot);
  let draft = empty;
  let steps = 0;
  const derived = (taken: number) => void (steps += taken);
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const decided = yield* decideWrite(draft, write, { ...inputs, derived });
    const excess = findExcess(empty, decided.draft);
    if (excess && draft.bytes > 0) break;
    if (excess) outcomes.push(refused(excess));
    else {
      outcomes.push(decided.outcome);
      draft = decided.draft;
      // Writes after a restore need the restored items, which have to be loaded: end the round here.
      if (draft.replacesWholeState) break;
    }
    if (steps > transformationLimits.steps) break;
  }
  return { draft: finalDraft(draft), outcomes };
}

/** Decides writes as {@link decideRound} does, but as if each were stored in its own append. */
export function* decideInTurn(
  { snapshot, ...inputs }: RoundInput,
  writes: readonly PreparedWrite[],
): Steps<Round> {
  let draft = emptyDraft(snapshot);
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const decided = yield* decideWrite(draft, write, inputs);
    outcomes.push(decided.outcome);
    draft = decided.draft;
  }
  return { draft: finalDraft(draft), outcomes };
}

type WriteDecision = Readonly<{ draft: Draft; outcome: Outcome }>;

/** The API contract defines the order of the checks: access, idempotency, condition, state, rule. */
function* decideWrite(
  draft: Draft,
  write: PreparedWrite,
  inputs: DecisionInputs,
): Steps<WriteDecision> {
  try {
    requireReachable(draft, write);
    const answered = findReplay(draft, write) ?? findConflict(draft, write);
    return answered ? { draft, outcome: answered } : yield* accept(draft, write, inputs);
  } catch (error) {
    if (error instanceof ItemsMissingError) throw error;
    return yield* refuse(draft, write, { ...inputs, error });
  }
}

/** Only a key that could reach the new context may learn that its id is taken. */
function requireReachable({ head }: Draft, { id, principal, commands }: PreparedWrite): void {
  const creates = commands.some(createsContext);
  for (const command of commands)
    if (command.type === 'CreateContext')
      requireCreatable(principal, futureContext(id.contextId, command));
  if (!head || reaches(principal, head)) return;
  throw creates ? new ContextExistsError() : new ContextNotFoundError();
}

function futureContext(contextId: string, { data }: CreateContext) {
  const { workflow, parent = null } = data;
  return { contextId, workflowId: workflow?.definitionId ?? null, parent };
}

function* accept(
  before: Draft,
  write: PreparedWrite,
  inputs: DecisionInputs,
): Steps<WriteDecision> {
  const events = yield* decideCommands(before, write, inputs);
  let draft = before;
  for (const [index, event] of events.entries()) {
    yield;
    draft = yield* extendDraft(draft, write.id, event, {
      ...write.facts,
      eventId: write.eventId({ index, count: events.length }),
      idempotency: write.repeat ? { ...write.repeat, index, count: events.length } : null,
      now: inputs.now,
    });
  }
  const version = before.head?.version ?? 0;
  if (events.length === 0) return { draft, outcome: { kind: 'nothing', version } };
  return { draft, outcome: { kind: 'stored', first: version + 1, count: events.length } };
}

/**
 * A refused write stores nothing except the event that its refusal causes; the caller gets the refusal after that event
 * is stored.
 */
function* refuse(
  before: Draft,
  write: PreparedWrite,
  { error, ...inputs }: DecisionInputs & Readonly<{ error: unknown }>,
): Steps<WriteDecision> {
  const consequence = write.allOrNothing
    ? undefined
    : yield* consequenceOf(error, before, write, inputs);
  if (!consequence) return { draft: before, outcome: refused(error) };
  // The event must not use up the idempotency key: the key may be used again once the breaker is reset.
  const recording = { ...write, commands: [consequence], repeat: undefined, eventId: newId };
  const recorded = yield* tryAccept(before, { ...recording, refusal: undefined }, inputs);
  const { draft, outcome } = recorded;
  if (outcome.kind !== 'stored') return { draft, outcome: refused(error) };
  return { draft, outcome: { ...outcome, kind: 'recorded', error } };
}

/**
 * Trips the breaker only if the limit was reached before this write, and only if the rest of the write would be
 * accepted: a write that is refused for another reason changes nothing.
 */
function* consequenceOf(
  error: unknown,
  before: Draft,
  write: PreparedWrite,
  inputs: DecisionInputs,
): Steps<TripCircuitBreaker | undefined> {
  const trip = error instanceof CircuitOpenError ? error.consequence : undefined;
  if (!trip || !isAtLimit(trip.data, before.state.lookup)) return undefined;
  const isIteration = ({ type, data }: ContextCommand) =>
    type === 'StartIteration' && data.subject === trip.data.subject;
  const commands = write.commands.filter((command) => !isIteration(command));
  try {
    yield* decideCommands(before, { ...write, commands }, inputs);
    return trip;
  } catch (otherwise) {
    if (otherwise instanceof ItemsMissingError) throw otherwise;
    return undefined;
  }
}

/**
 * The event may be impossible without the rest of the refused write, for example if that write would have reopened the
 * context.
 */
function* tryAccept(
  before: Draft,
  write: PreparedWrite,
  inputs: DecisionInputs,
): Steps<WriteDecision> {
  try {
    return yield* accept(before, write, inputs);
  } catch (error) {
    if (error instanceof DomainError) return { draft: before, outcome: refused(error) };
    throw error;
  }
}

function findReplay(draft: Draft, { repeat }: PreparedWrite): Outcome | undefined {
  const known = repeat && draft.state.get('idempotency', repeat.key);
  if (!repeat || !known) return undefined;
  const { fingerprint, count } = idempotencyState.parse(known.state);
  if (fingerprint !== repeat.fingerprint)
    throw new IdempotencyKeyReusedError(
      'this Idempotency-Key was used before with another body: use a new key for a new request',
    );
  return { kind: 'replay', first: known.fromVersion, count };
}

/** A write to a missing context fails with its own error; only a creation has version 0 as its condition. */
function findConflict({ head }: Draft, { ifMatch, commands }: PreparedWrite): Outcome | undefined {
  const creates = commands.some(createsContext);
  if (ifMatch === undefined || (!head && !creates)) return undefined;
  const current = head ? head.version : 0;
  return ifMatch === current ? undefined : { kind: 'conflict', expected: ifMatch, current };
}

const idempotencyState = z.object({ fingerprint: z.string(), count: z.number() });

function refused(error: unknown): Outcome {
  return { kind: 'refused', error };
}
