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

/** What a write comes to, provided that the round it was decided in is stored. */
export type Outcome =
  | Readonly<{ kind: 'stored'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>
  | Readonly<{ kind: 'refused'; error: unknown }>
  /** Refused, and what it was cause for is stored. */
  | Readonly<{ kind: 'recorded'; error: unknown; first: number; count: number }>;

export type Round = Readonly<{ draft: FinalDraft; outcomes: readonly Outcome[] }>;

/** What a round is decided on. */
export type RoundInput = DecisionInputs & Readonly<{ snapshot: ContextSnapshot }>;

/**
 * Decides writes one after another, each on what the ones before it leave behind, in steps of an event or less. Stops before the
 * write that would make the append too large, behind one that changes what there is as a whole, and once as many steps were
 * taken to derive values as one write may take; so `outcomes` may be shorter than `writes`, but never empty.
 * Throws {@link ItemsMissingError}.
 */
export function* decideRound(
  { snapshot, ...given }: RoundInput,
  writes: readonly PreparedWrite[],
): Steps<Round> {
  const empty = emptyDraft(snapshot);
  let draft = empty;
  let steps = 0;
  const derived = (taken: number) => void (steps += taken);
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const decided = yield* decideWrite(draft, write, { ...given, derived });
    const excess = findExcess(empty, decided.draft);
    if (excess && draft.bytes > 0) break;
    if (excess) outcomes.push(refused(excess));
    else {
      outcomes.push(decided.outcome);
      draft = decided.draft;
      // What comes behind is decided on the items of the base, which are loaded anew.
      if (draft.replacesWholeState) break;
    }
    if (steps > transformationLimits.steps) break;
  }
  return { draft: finalDraft(draft), outcomes };
}

/** Decides writes as {@link decideRound} does, but as if each were stored in an append of its own. */
export function* decideInTurn(
  { snapshot, ...given }: RoundInput,
  writes: readonly PreparedWrite[],
): Steps<Round> {
  let draft = emptyDraft(snapshot);
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const decided = yield* decideWrite(draft, write, given);
    outcomes.push(decided.outcome);
    draft = decided.draft;
  }
  return { draft: finalDraft(draft), outcomes };
}

type Decided = Readonly<{ draft: Draft; outcome: Outcome }>;

/** The order of the checks is the contract's: reach, idempotency, condition, state, rule. */
function* decideWrite(draft: Draft, write: PreparedWrite, given: DecisionInputs): Steps<Decided> {
  try {
    requireReachable(draft, write);
    const answered = findReplay(draft, write) ?? findConflict(draft, write);
    return answered ? { draft, outcome: answered } : yield* store(draft, write, given);
  } catch (error) {
    if (error instanceof ItemsMissingError) throw error;
    return yield* refuse(draft, write, { ...given, error });
  }
}

/** Creating a context may reveal that its id is taken only to a key that could reach the new context. */
function requireReachable({ head }: Draft, { id, principal, commands }: PreparedWrite): void {
  const creates = commands.some(createsContext);
  for (const command of commands)
    if (command.type === 'CreateContext')
      requireCreatable(principal, unborn(id.contextId, command));
  if (!head || reaches(principal, head)) return;
  throw creates ? new ContextExistsError() : new ContextNotFoundError();
}

function unborn(contextId: string, { data }: CreateContext) {
  const { workflow, parent = null } = data;
  return { contextId, workflowId: workflow?.definitionId ?? null, parent };
}

function* store(before: Draft, write: PreparedWrite, given: DecisionInputs): Steps<Decided> {
  const events = yield* decideCommands(before, write, given);
  let draft = before;
  for (const [index, event] of events.entries()) {
    yield;
    draft = yield* extendDraft(draft, write.id, event, {
      ...write.facts,
      eventId: write.eventId({ index, count: events.length }),
      idempotency: write.repeat ? { ...write.repeat, index, count: events.length } : null,
      now: given.now,
    });
  }
  const version = before.head?.version ?? 0;
  if (events.length === 0) return { draft, outcome: { kind: 'nothing', version } };
  return { draft, outcome: { kind: 'stored', first: version + 1, count: events.length } };
}

/**
 * A refusal leaves nothing of its write behind, but the event that it is cause for: whoever was refused is told so once
 * that is stored.
 */
function* refuse(
  before: Draft,
  write: PreparedWrite,
  { error, ...given }: DecisionInputs & Readonly<{ error: unknown }>,
): Steps<Decided> {
  const consequence = write.allOrNothing
    ? undefined
    : yield* consequenceOf(error, before, write, given);
  if (!consequence) return { draft: before, outcome: refused(error) };
  // No event of a key's first answer: the key may be used again once the breaker is reset.
  const recording = { ...write, commands: [consequence], repeat: undefined, eventId: newId };
  const recorded = yield* tryStore(before, { ...recording, refusal: undefined }, given);
  const { draft, outcome } = recorded;
  if (outcome.kind !== 'stored') return { draft, outcome: refused(error) };
  return { draft, outcome: { ...outcome, kind: 'recorded', error } };
}

/**
 * Only an iteration beyond the limit that was reached before its write, and only if nothing else stands in the way of this
 * write: one that is refused for another reason changes nothing.
 */
function* consequenceOf(
  error: unknown,
  before: Draft,
  write: PreparedWrite,
  given: DecisionInputs,
): Steps<TripCircuitBreaker | undefined> {
  const trip = error instanceof CircuitOpenError ? error.consequence : undefined;
  if (!trip || !isAtLimit(trip.data, before.state.lookup)) return undefined;
  const isIteration = ({ type, data }: ContextCommand) =>
    type === 'StartIteration' && data.subject === trip.data.subject;
  const commands = write.commands.filter((command) => !isIteration(command));
  try {
    yield* decideCommands(before, { ...write, commands }, given);
    return trip;
  } catch (otherwise) {
    if (otherwise instanceof ItemsMissingError) throw otherwise;
    return undefined;
  }
}

/** What was refused may have been asked behind something that never came to be, as the reopening of a closed context. */
function* tryStore(before: Draft, write: PreparedWrite, given: DecisionInputs): Steps<Decided> {
  try {
    return yield* store(before, write, given);
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

/** What is written to must be there first: only creating meets a context of version 0. */
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
