import { type ContextEvent, type RecordedContextEvent, type RecordedFacts } from '#shared-context';

import { type RealContext } from './corpus.js';

const longest = 100;

/**
 * The same context in which somebody has also said what must not be forgotten, in words of its own: a preference, a
 * constraint, a blocker and a critical handover, each at another place of the history.
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

/** The facts alone: a union of all events times all duties is more than the compiler takes. */
function recordedLike(facts: RecordedFacts, duty: ContextEvent): RecordedContextEvent {
  return { ...facts, ...duty };
}

function inPlace(event: RecordedContextEvent, at: number): RecordedContextEvent {
  return { ...event, version: at + 1 };
}

/** A piece of what was written in a context, where it has any: beginning somewhere in the middle of a line. */
function wordsOf(events: readonly RecordedContextEvent[]): (part: number) => string {
  const last = events.at(-1);
  const text = JSON.stringify(last?.data ?? {}).replaceAll('\\n', '\n');
  return (part) => {
    const start = Math.floor((text.length * part) / 6);
    return `${text.slice(start, start + longest)}!`.toWellFormed();
  };
}
