import { z } from 'zod';

import { AppendTooLargeError, maxAppendBytes } from '#event-sourcing';
import {
  type ContextCommand,
  type ItemKey,
  type NewContextEvent,
  authorOf,
  decideContext,
  requiredKeys,
} from '#shared-context';
import { TransformationSet } from '#transformations';
import { type Steps, runAtOnce } from '#slices';

import { requireReach } from '../access/authorize.js';
import { InvalidInputError } from '../errors.js';
import { type Ground, ValueDerivation } from '../transformations/derive-values.js';
import { happeningsOf } from '../transformations/happenings.js';
import { type Draft, extendDraft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';

/** `loaded` tells an item that is not there from one nobody asked for; `now` in milliseconds. */
export type Given = Readonly<{
  loaded: LoadedKeys;
  now: number;
  transformations?: TransformationSet | undefined;
  /** Is told how many steps the values that follow from a write took to derive. */
  derived?: (steps: number) => void;
}>;

/** The keys a snapshot was loaded with. */
export class LoadedKeys {
  readonly #keys = new Map<string, ItemKey>();

  add(keys: readonly ItemKey[]): this {
    for (const key of keys) this.#keys.set(`${key.kind} ${key.key}`, key);
    return this;
  }

  has({ kind, key }: ItemKey): boolean {
    return this.#keys.has(`${kind} ${key}`);
  }

  all(): readonly ItemKey[] {
    return [...this.#keys.values()];
  }
}

/** A command turned out to look at items that were not loaded: load them too and decide again. */
export class ItemsMissingError extends Error {
  constructor(readonly keys: readonly ItemKey[]) {
    super('the round needs items that were not loaded');
  }
}

/** Each command sees what the ones before it did, on a draft that is thrown away: `count` is not known yet. */
export function* decideCommands(
  before: Draft,
  write: PreparedWrite,
  given: Given,
): Steps<NewContextEvent[]> {
  const events: NewContextEvent[] = [];
  let draft = before;
  for (const [at, command] of write.commands.entries()) {
    const decided = decideCommand(draft, write, { ...given, command, at });
    for (const event of decided) events.push(event);
    if (write.commands.length > 1) draft = yield* foresee(draft, write, decided, given.now);
    const bytes = draft.bytes - before.bytes;
    if (bytes > maxAppendBytes) throw new AppendTooLargeError(bytes);
  }
  if (write.refusal !== undefined) throw write.refusal;
  // A closed context takes nothing more: what follows from the rest comes before.
  const closing = events.at(-1)?.type === 'ContextClosed' ? events.splice(-1) : [];
  const derived = yield* derivedFrom(events, before, write, given);
  return [...events, ...derived, ...closing];
}

/** What transformations make of it goes with a write: nobody ever reads the one without the other. */
function* derivedFrom(
  events: readonly NewContextEvent[],
  before: Draft,
  write: PreparedWrite,
  { transformations = TransformationSet.empty, loaded, now, derived }: Given,
): Steps<readonly NewContextEvent[]> {
  const author = authorOf(write.facts);
  const derivation = new ValueDerivation(transformations, happeningsOf(events, author), author);
  if (derivation.isIdle) return [];
  const missing = derivation.keys().filter((key) => !loaded.has(key));
  if (missing.length > 0) throw new ItemsMissingError(missing);
  const foreseen = yield* foresee(before, write, events, now);
  const following = derivation.events(groundOf(foreseen, write, now));
  derived?.(derivation.steps);
  return following;
}

function groundOf(draft: Draft, write: PreparedWrite, now: number): Ground {
  return {
    current: draft.state.lookup,
    append: (event) => groundOf(runAtOnce(foresee(draft, write, [event], now)), write, now),
  };
}

function decideCommand(
  draft: Draft,
  { batch, id, principal }: PreparedWrite,
  { command, at, loaded }: Given & Readonly<{ command: ContextCommand; at: number }>,
): readonly NewContextEvent[] {
  requireLoaded(command, draft, loaded);
  if (command.type === 'CreateContext') requireReach(principal, unborn(id.contextId, command));
  try {
    return decideContext(placed(command, draft), draft.state.lookup);
  } catch (error) {
    throw batch ? within(error, at) : error;
  }
}

/** Some commands speak of the version the context has when they are decided. */
function placed(command: ContextCommand, { head }: Draft): ContextCommand {
  if (command.type === 'AddSummary') return { ...command, lineage: head?.lineage ?? null };
  if (command.type !== 'RestoreContext' && command.type !== 'CreateCheckpoint') return command;
  return head ? { ...command, at: head.version } : command;
}

/** A key may create only what it could then reach. */
function unborn(contextId: string, { data }: Extract<ContextCommand, { type: 'CreateContext' }>) {
  return {
    contextId,
    workflowId: data.workflow?.definitionId ?? null,
    parent: data.parent ?? null,
  };
}

function* foresee(
  draft: Draft,
  write: PreparedWrite,
  events: readonly NewContextEvent[],
  now: number,
): Steps<Draft> {
  const facts = { ...write.facts, eventId: unassigned, idempotency: null, now };
  let foreseen = draft;
  for (const event of events) {
    yield;
    foreseen = extendDraft(foreseen, write.id, event, facts);
  }
  return foreseen;
}

const unassigned = '00000000-0000-4000-8000-000000000000';

function requireLoaded(command: ContextCommand, draft: Draft, loaded: LoadedKeys): void {
  const missing = requiredKeys(command, draft.state.lookup).filter((key) => !loaded.has(key));
  if (missing.length > 0) throw new ItemsMissingError(missing);
}

/** Points into the batch where a command of it was at fault. */
function within(error: unknown, at: number): unknown {
  const faulty = faultyInput.safeParse(error);
  if (!faulty.success) return error;
  return new InvalidInputError(
    faulty.data.issues.map(({ pointer, detail }) => ({
      pointer: `/events/${at}/data${pointer}`,
      detail,
    })),
  );
}

const faultyInput = z.object({
  code: z.literal('validation-failed'),
  issues: z.array(z.object({ pointer: z.string(), detail: z.string() })),
});
