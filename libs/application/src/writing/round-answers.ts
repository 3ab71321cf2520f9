import { type DecodedEvent } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { type Outcome, type Round } from './decide-round.js';
import { type FinalDraft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';
import { type Ticket } from './stream-queue.js';

/** The result of a write; `events`: the events that it stored, now or at the first use of its key. */
export type WriteResult =
  | Readonly<{ kind: 'stored'; events: readonly DecodedEvent[] }>
  /** The write is refused, but the event that its refusal caused is stored. */
  | Readonly<{ kind: 'recorded'; error: unknown; events: readonly DecodedEvent[] }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>;

/** Whether all stored events of the round have an idempotency key. */
export function isKeyed(writes: readonly PreparedWrite[], { outcomes }: Round): boolean {
  return outcomes.every(
    ({ kind }, at) =>
      (kind !== 'stored' && kind !== 'recorded') || (kind === 'stored' && writes[at]?.repeat),
  );
}

/**
 * Whether a successful append proves a decision on cached items. If some writes have idempotency keys, another process
 * may have stored the same events first: the append then proves nothing about the current state, on which refusals and
 * other answers depend.
 */
export function isProven(writes: readonly PreparedWrite[], { draft, outcomes }: Round): boolean {
  const areStored = outcomes.every(({ kind }) => kind === 'stored');
  return draft.encoded.length > 0 && (areStored || !writes.some(({ repeat }) => repeat));
}

export function answer(
  ticket: Ticket<PreparedWrite, WriteResult> | undefined,
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

/** Refuses all writes that depend on events of a round that was not stored; answers to known keys remain. */
export function exhausted({ draft, outcomes }: Round, tries: number): Round {
  const firstOfRound = draft.events.at(0)?.version ?? 0;
  const error = new ConcurrencyExhaustedError(
    `other writers changed the context first, ${tries} times: send the request again`,
  );
  const refusal: Outcome = { kind: 'refused', error };
  const settled = (outcome: Outcome) => outcome.kind === 'replay' && outcome.first < firstOfRound;
  return { draft, outcomes: outcomes.map((outcome) => (settled(outcome) ? outcome : refusal)) };
}
