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

/** Each command sees what the ones before it did, on a draft that is thrown away: `count` is not known yet. */
export function* decideCommands(
  before: Draft,
  write: PreparedWrite,
  given: DecisionInputs,
): Steps<NewContextEvent[]> {
  const events: NewContextEvent[] = [];
  let draft = before;
  for (const [at, command] of write.commands.entries()) {
    yield* requireLoaded(command, draft, given.loaded);
    const access = { current: visibleLookup(before, draft, write, command), command, at };
    const decided = decideCommand(draft, write, access);
    for (const event of decided) events.push(event);
    if (write.commands.length > 1) draft = yield* foresee(draft, write, decided, given.now);
    const excess = findExcess(before, draft);
    if (excess) throw excess;
  }
  if (write.refusal !== undefined) throw write.refusal;
  // A closed context takes nothing more: what follows from the rest comes before.
  const closing = events.at(-1)?.type === 'ContextClosed' ? events.splice(-1) : [];
  const derived = yield* derivedFrom({ events, closing }, before, write, given);
  return [...events, ...derived, ...closing];
}

/** What a write says itself: what follows from it stands before its closing event. */
type OwnEvents = Readonly<{
  events: readonly NewContextEvent[];
  closing: readonly NewContextEvent[];
}>;

/** The values that are derived from a write are stored in the same append. */
function* derivedFrom(
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
  const foreseen = yield* foresee(before, write, events, now);
  const closed = yield* foresee(foreseen, write, closing, now);
  const count = events.length + closing.length;
  const room = maxAppendBytes - (closed.bytes - before.bytes) - count * unforeseenBytes(write);
  const following = derivation.events(groundOf(foreseen, write, { now, room }));
  derived?.(derivation.steps);
  return following;
}

function groundOf(
  draft: Draft,
  write: PreparedWrite,
  { now, room }: Readonly<{ now: number; room: number }>,
): DerivationInput {
  return {
    current: draft.state.lookup,
    room,
    append: (event) => {
      const next = runAtOnce(foresee(draft, write, [event], now));
      const bytes = next.bytes - draft.bytes + unforeseenBytes(write);
      return groundOf(next, write, { now, room: room - bytes });
    },
  };
}

/** What an event of a write with an idempotency key says of it: two hashes, and which event of how many it is. */
const maxIdempotencyBytes = 256;

/** What an event has more than {@link foresee} knows. */
function unforeseenBytes({ repeat }: PreparedWrite): number {
  return repeat ? maxIdempotencyBytes : 0;
}

/** A command of a write, by its place there, and what it is decided on. */
type Turn = Readonly<{ command: ContextCommand; at: number; current: ItemLookup }>;

function decideCommand(
  draft: Draft,
  write: PreparedWrite,
  { command, at, current }: Turn,
): readonly NewContextEvent[] {
  try {
    authorizeOn(write.principal, command, current);
    const given = withProvider(placed(command, draft), write);
    return claimed(contextDecider.decide(given, { lookup: current }), write.claims?.[at]);
  } catch (error) {
    throw placedIn(write, at, error);
  }
}

/** The events as the work of whom an imported document names. */
function claimed(
  events: readonly NewContextEvent[],
  claim: ImportedClaim | undefined,
): readonly NewContextEvent[] {
  return claim === undefined ? events : events.map((event) => ({ ...event, origin: claim }));
}

/** The server states who provides an input; clients cannot. */
function withProvider(command: ContextCommand, { facts }: PreparedWrite): ContextCommand {
  if (command.type !== 'ProvideInput') return command;
  const provider = { agentId: authorOf(facts), isPerson: facts.trust === 'human' };
  return { ...command, provider };
}

/** Some commands speak of the version the context has when they are decided. */
function placed(command: ContextCommand, { head, state }: Draft): ContextCommand {
  if (command.type === 'AddSummary') return { ...command, lineage: head?.lineage ?? null };
  if (!head) return command;
  const at = head.version;
  if (command.type === 'AdvanceRun' || command.type === 'CreateCheckpoint')
    return { ...command, at };
  if (command.type !== 'RestoreContext') return command;
  return { ...command, at, loops: [...state.values()].filter(({ kind }) => kind === 'loop') };
}

function* foresee(
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
  let foreseen = draft;
  for (const event of events) {
    yield;
    foreseen = yield* extendDraft(foreseen, write.id, event, facts);
  }
  return foreseen;
}

const unassigned = '00000000-0000-4000-8000-000000000000';

/** The error with pointers into the request instead of into the payload of the faulty command. */
function placedIn(write: PreparedWrite, index: number, error: unknown): unknown {
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
