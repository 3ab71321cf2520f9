import { type DecodedEvent } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { type Outcome, type Round } from './decide-round.js';
import { type FinalDraft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';
import { type Ticket } from './stream-queue.js';

/** What a write came to; `events` are those it stored, now or when its key was first used. */
export type Written =
  | Readonly<{ kind: 'stored'; events: readonly DecodedEvent[] }>
  /** Refused, and what it was cause for is stored. */
  | Readonly<{ kind: 'recorded'; error: unknown; events: readonly DecodedEvent[] }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>;

/** Whether all that the round stores is stored under idempotency keys. */
export function isKeyed(writes: readonly PreparedWrite[], { outcomes }: Round): boolean {
  return outcomes.every(
    ({ kind }, at) =>
      (kind !== 'stored' && kind !== 'recorded') || (kind === 'stored' && writes[at]?.repeat),
  );
}

/**
 * Whether the append proves what was decided. One of requests that another process has stored first proves nothing of what
 * there is now, on which refusals and other answers rest.
 */
export function isProven(writes: readonly PreparedWrite[], { draft, outcomes }: Round): boolean {
  const areStored = outcomes.every(({ kind }) => kind === 'stored');
  return draft.encoded.length > 0 && (areStored || !writes.some(({ repeat }) => repeat));
}

export function answer(
  ticket: Ticket<PreparedWrite, Written> | undefined,
  outcome: Outcome,
  { draft }: Round,
): void {
  if (outcome.kind === 'refused') ticket?.reject(outcome.error);
  else if (outcome.kind !== 'stored' && outcome.kind !== 'recorded') ticket?.resolve(outcome);
  else ticket?.resolve({ ...outcome, events: eventsOf(outcome, draft) });
}

function eventsOf(
  { first, count }: Extract<Outcome, { kind: 'stored' | 'recorded' }>,
  { events }: FinalDraft,
): readonly DecodedEvent[] {
  const from = first - (events.at(0)?.version ?? first);
  return events.slice(from, from + count);
}

/** Refuses what depends on events of a round that was not stored; answers to known keys remain. */
export function exhausted({ draft, outcomes }: Round, tries: number): Round {
  const firstOfRound = draft.events.at(0)?.version ?? 0;
  const error = new ConcurrencyExhaustedError(
    `others kept writing first, ${tries} times: try again`,
  );
  const refusal: Outcome = { kind: 'refused', error };
  const settled = (outcome: Outcome) => outcome.kind === 'replay' && outcome.first < firstOfRound;
  return { draft, outcomes: outcomes.map((outcome) => (settled(outcome) ? outcome : refusal)) };
}
