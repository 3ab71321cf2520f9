import { z } from 'zod';

import { AppendTooLargeError, maxAppendBytes } from '#event-sourcing';
import { type ContextSnapshot } from '#read-models';
import {
  type ContextCommand,
  type ItemKey,
  type NewContextEvent,
  decideContext,
  requiredKeys,
} from '#shared-context';

import { requireReach } from '../access/authorize.js';
import { IdempotencyKeyReusedError, InvalidInputError } from '../errors.js';
import { type Draft, emptyDraft, extendDraft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';

/** What a write comes to, provided that the round it was decided in is stored. */
export type Outcome =
  | Readonly<{ kind: 'stored'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>
  | Readonly<{ kind: 'refused'; error: unknown }>;

export type Round = Readonly<{ draft: Draft; outcomes: readonly Outcome[] }>;

/** What a round is decided on; `loaded` tells an item that is not there from one nobody asked for. */
export type Ground = Readonly<{ snapshot: ContextSnapshot; loaded: LoadedKeys; now: number }>;

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

/**
 * Decides writes one after another, each on what the ones before it leave behind. Stops before the write that
 * would make the append too large; so `outcomes` may be shorter than `writes`, but never empty.
 * Throws {@link ItemsMissingError}.
 */
export function decideRound(
  { snapshot, loaded, now }: Ground,
  writes: readonly PreparedWrite[],
): Round {
  let draft = emptyDraft(snapshot);
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const decided = decideWrite(draft, write, { loaded, now });
    if (decided.draft.bytes > maxAppendBytes && draft.bytes > 0) break;
    if (decided.draft.bytes > maxAppendBytes)
      outcomes.push(refused(new AppendTooLargeError(decided.draft.bytes)));
    else {
      outcomes.push(decided.outcome);
      draft = decided.draft;
    }
  }
  return { draft, outcomes };
}

type Given = Pick<Ground, 'loaded' | 'now'>;
type Decided = Readonly<{ draft: Draft; outcome: Outcome }>;

/** The order of the checks is the contract's: reach, idempotency, condition, state, rule. */
function decideWrite(draft: Draft, write: PreparedWrite, given: Given): Decided {
  try {
    if (draft.head) requireReach(write.principal, draft.head);
    const replay = findReplay(draft, write);
    if (replay) return { draft, outcome: replay };
    const current = draft.head?.version ?? 0;
    if (write.ifMatch !== undefined && draft.head && write.ifMatch !== current)
      return { draft, outcome: { kind: 'conflict', expected: write.ifMatch, current } };
    return store(draft, write, given);
  } catch (error) {
    if (error instanceof ItemsMissingError) throw error;
    return { draft, outcome: refused(error) };
  }
}

function store(before: Draft, write: PreparedWrite, given: Given): Decided {
  const events = decideCommands(before, write, given);
  let draft = before;
  for (const [index, event] of events.entries())
    draft = extendDraft(draft, write.id, event, {
      ...write.facts,
      eventId: write.eventId(index),
      idempotency: write.repeat ? { ...write.repeat, index, count: events.length } : null,
      now: given.now,
    });
  const version = before.head?.version ?? 0;
  if (events.length === 0) return { draft, outcome: { kind: 'nothing', version } };
  return { draft, outcome: { kind: 'stored', first: version + 1, count: events.length } };
}

/** Each command sees what the ones before it did, on a draft that is thrown away: `count` is not known yet. */
function decideCommands(before: Draft, write: PreparedWrite, given: Given): NewContextEvent[] {
  const events: NewContextEvent[] = [];
  let draft = before;
  for (const [at, command] of write.commands.entries())
    try {
      requireLoaded(command, draft, given.loaded);
      const decided = decideContext(command, draft.state.lookup);
      events.push(...decided);
      if (write.commands.length > 1)
        for (const event of decided)
          draft = extendDraft(draft, write.id, event, {
            ...write.facts,
            eventId: unassigned,
            idempotency: null,
            now: given.now,
          });
    } catch (error) {
      throw write.commands.length > 1 ? within(error, at) : error;
    }
  return events;
}

function requireLoaded(command: ContextCommand, draft: Draft, loaded: LoadedKeys): void {
  const missing = requiredKeys(command, draft.state.lookup).filter((key) => !loaded.has(key));
  if (missing.length > 0) throw new ItemsMissingError(missing);
}

const unassigned = '00000000-0000-4000-8000-000000000000';

/** Points into the batch where a command of it was at fault. */
function within(error: unknown, at: number): unknown {
  const issues = issuesOf.safeParse(error);
  if (!issues.success) return error;
  return new InvalidInputError(
    issues.data.issues.map(({ pointer, detail }) => ({
      pointer: `/events/${at}/data${pointer}`,
      detail,
    })),
  );
}

const issuesOf = z.object({
  code: z.literal('validation-failed'),
  issues: z.array(z.object({ pointer: z.string(), detail: z.string() })),
});

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

const idempotencyState = z.object({ fingerprint: z.string(), count: z.number() });

function refused(error: unknown): Outcome {
  return { kind: 'refused', error };
}
