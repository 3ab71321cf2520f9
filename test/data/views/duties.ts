import { type ContextEvent, type RecordedContextEvent, type RecordedFacts } from '#shared-context';

import { type RealContext } from './corpus.js';

const longest = 100;

/**
 * The same context with additional protected parts in distinct words: a preference, a constraint, a blocker and a
 * critical handover, each at another place of the history.
 */
export function withDuties(context: RealContext): RealContext {
  const words = wordsOf(context.events);
  const duties: readonly ContextEvent[] = [
    { type: 'PreferencesSet', data: { values: { style: words(1) } } },
    {
      type: 'RequirementRecorded',
      data: { requirementId: 'never-forget', kind: 'constraint', text: words(2) },
    },
    { type: 'BlockerRaised', data: { blockerId: 'in-the-way', description: words(3) } },
    {
      type: 'HandoverNoted',
      data: { handoverId: 'take-over', to: 'successor', priority: 'critical', note: words(4) },
    },
  ];
  const { length } = context.events;
  const events = context.events.flatMap((event, at) => [
    event,
    ...duties.flatMap((duty, n) =>
      at === Math.floor((n * (length - 1)) / duties.length) ? [recordedLike(event, duty)] : [],
    ),
  ]);
  return { ...context, events: events.map(inPlace) };
}

/** The facts only: the union of all events and duties is too large for the compiler. */
function recordedLike(facts: RecordedFacts, duty: ContextEvent): RecordedContextEvent {
  return { ...facts, ...duty };
}

function inPlace(event: RecordedContextEvent, at: number): RecordedContextEvent {
  return { ...event, version: at + 1 };
}

/** A part of a text in the context, if there is one, beginning in the middle of a line. */
function wordsOf(events: readonly RecordedContextEvent[]): (part: number) => string {
  const last = events.at(-1);
  const text = JSON.stringify(last?.data ?? {}).replaceAll('\\n', '\n');
  return (part) => {
    const start = Math.floor((text.length * part) / 6);
    return `${text.slice(start, start + longest)}!`.toWellFormed();
  };
}
