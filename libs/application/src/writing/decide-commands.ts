import { z } from 'zod';

import { maxAppendBytes } from '#event-sourcing';
import {
  type ContextCommand,
  type ItemLookup,
  type NewContextEvent,
  authorOf,
  contextDecider,
} from '#shared-context';
import { TransformationSet } from '#transformations';
import { type Steps, runAtOnce } from '#slices';

import { authorizeOn } from '../access/authorize.js';
import { pointerInRequest } from '../access/command-place.js';
import { InvalidInputError } from '../errors.js';
import { type DerivationInput, ValueDerivation } from '../transformations/derive-values.js';
import { derivationTriggers, requestOf } from '../transformations/derivation-triggers.js';
import { type Draft, extendDraft, findExcess, placeholderHash } from './draft.js';
import { ItemsMissingError, type LoadedKeys, requireLoaded } from './loaded-keys.js';
import { type PreparedWrite } from './prepared-write.js';
import { type ImportedClaim } from './write-context.command.js';
import { visibleLookup } from './visible-lookup.js';

/** `loaded` distinguishes items that do not exist from items that were not loaded; `now` is in milliseconds. */
export type DecisionInputs = Readonly<{
  loaded: LoadedKeys;
  now: number;
  transformations?: TransformationSet | undefined;
  /** Called with the number of steps that deriving the values of a write took. */
  derived?: (steps: number) => void;
}>;

/**
 * Decides the commands of a write in order, each on the results of the ones before it. The draft in between is
 * discarded, because the number of events is not known yet.
 */
export function* decideCommands(
  before: Draft,
  write: PreparedWrite,
  inputs: DecisionInputs,
): Steps<NewContextEvent[]> {
  const events: NewContextEvent[] = [];
  let draft = before;
  for (const [at, command] of write.commands.entries()) {
    yield* requireLoaded(command, draft, inputs.loaded);
    const access = { current: visibleLookup(before, draft, write, command), command, at };
    const decided = decideCommand(draft, write, access);
    for (const event of decided) events.push(event);
    if (write.commands.length > 1) draft = yield* simulate(draft, write, decided, inputs.now);
    const excess = findExcess(before, draft);
    if (excess) throw excess;
  }
  if (write.refusal !== undefined) throw write.refusal;
  // A closed context accepts no events, so derived values come before the closing event.
  const closing = events.at(-1)?.type === 'ContextClosed' ? events.splice(-1) : [];
  const derived = yield* deriveValues({ events, closing }, before, write, inputs);
  return [...events, ...derived, ...closing];
}

/** The events of the write itself, without derived values; `closing` is its closing event, if any. */
type OwnEvents = Readonly<{
  events: readonly NewContextEvent[];
  closing: readonly NewContextEvent[];
}>;

/** Derives values from the events of a write; they are stored in the same append. */
function* deriveValues(
  { events, closing }: OwnEvents,
  before: Draft,
  write: PreparedWrite,
  { transformations = TransformationSet.empty, loaded, now, derived }: DecisionInputs,
): Steps<readonly NewContextEvent[]> {
  if (transformations.ordered.length === 0 && write.derive === undefined) return [];
  const author = authorOf(write.facts);
  yield;
  const reasons = [...derivationTriggers(events, author), ...requestOf(write)];
  const derivation = new ValueDerivation(transformations, reasons, author);
  yield;
  if (derivation.isIdle) return [];
  const missing = derivation.keys().filter((key) => !loaded.has(key));
  if (missing.length > 0) throw new ItemsMissingError(missing);
  const simulated = yield* simulate(before, write, events, now);
  const closed = yield* simulate(simulated, write, closing, now);
  const count = events.length + closing.length;
  const room = maxAppendBytes - (closed.bytes - before.bytes) - count * idempotencyBytes(write);
  const following = derivation.events(derivationInput(simulated, write, { now, room }));
  derived?.(derivation.steps);
  return following;
}

function derivationInput(
  draft: Draft,
  write: PreparedWrite,
  { now, room }: Readonly<{ now: number; room: number }>,
): DerivationInput {
  return {
    current: draft.state.lookup,
    room,
    append: (event) => {
      const next = runAtOnce(simulate(draft, write, [event], now));
      const bytes = next.bytes - draft.bytes + idempotencyBytes(write);
      return derivationInput(next, write, { now, room: room - bytes });
    },
  };
}

/** The size of the idempotency fields of an event: two hashes, the index of the event and the number of events. */
const maxIdempotencyBytes = 256;

/** Bytes of a stored event that {@link simulate} does not count. */
function idempotencyBytes({ repeat }: PreparedWrite): number {
  return repeat ? maxIdempotencyBytes : 0;
}

/** A command with its index in the write, and the items on which it is decided. */
type CommandInput = Readonly<{ command: ContextCommand; at: number; current: ItemLookup }>;

function decideCommand(
  draft: Draft,
  write: PreparedWrite,
  { command, at, current }: CommandInput,
): readonly NewContextEvent[] {
  try {
    authorizeOn(write.principal, command, current);
    const completed = withProvider(withCurrentVersion(command, draft), write);
    return withClaim(contextDecider.decide(completed, { lookup: current }), write.claims?.[at]);
  } catch (error) {
    throw withRequestPointers(write, at, error);
  }
}

/** Attributes the events to the author that an imported document names. */
function withClaim(
  events: readonly NewContextEvent[],
  claim: ImportedClaim | undefined,
): readonly NewContextEvent[] {
  return claim === undefined ? events : events.map((event) => ({ ...event, origin: claim }));
}

/** The server sets the provider of an input; clients cannot. */
function withProvider(command: ContextCommand, { facts }: PreparedWrite): ContextCommand {
  if (command.type !== 'ProvideInput') return command;
  const provider = { agentId: authorOf(facts), isPerson: facts.trust === 'human' };
  return { ...command, provider };
}

/** Completes commands that depend on the version of the context at the time of the decision. */
function withCurrentVersion(command: ContextCommand, { head, state }: Draft): ContextCommand {
  if (command.type === 'AddSummary') return { ...command, lineage: head?.lineage ?? null };
  if (!head) return command;
  const at = head.version;
  if (command.type === 'AdvanceRun' || command.type === 'CreateCheckpoint')
    return { ...command, at };
  if (command.type !== 'RestoreContext') return command;
  return { ...command, at, loops: [...state.values()].filter(({ kind }) => kind === 'loop') };
}

function* simulate(
  draft: Draft,
  write: PreparedWrite,
  events: readonly NewContextEvent[],
  now: number,
): Steps<Draft> {
  const facts = {
    ...write.facts,
    eventId: unassigned,
    idempotency: null,
    now,
    hashOf: placeholderHash,
  };
  let simulated = draft;
  for (const event of events) {
    yield;
    simulated = yield* extendDraft(simulated, write.id, event, facts);
  }
  return simulated;
}

const unassigned = '00000000-0000-4000-8000-000000000000';

/** Converts pointers into the payload of the faulty command to pointers into the request. */
function withRequestPointers(write: PreparedWrite, index: number, error: unknown): unknown {
  if (!write.batch && write.places?.[index] === undefined) return error;
  const faulty = faultyInput.safeParse(error);
  if (!faulty.success) return error;
  return new InvalidInputError(
    faulty.data.issues.map(({ pointer, detail }) => ({
      pointer: pointerInRequest(write, index, pointer),
      detail,
    })),
  );
}

const faultyInput = z.object({
  code: z.literal('validation-failed'),
  issues: z.array(z.object({ pointer: z.string(), detail: z.string() })),
});
