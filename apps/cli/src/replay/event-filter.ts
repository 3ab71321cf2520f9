import { type ContextEvent, authorOf, stepOf } from './context-event.js';

/** Conditions on the events of a history; undefined conditions match all. */
export type EventFilter = Readonly<{
  types?: readonly string[] | undefined;
  agent?: string | undefined;
  step?: string | undefined;
}>;

export function matches(event: ContextEvent, { types, agent, step }: EventFilter): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (agent === undefined || authorOf(event) === agent) &&
    (step === undefined || stepOf(event) === step)
  );
}

/** Parses names that are separated by commas; undefined if there are none. */
export function typesOf(text: string | undefined): readonly string[] | undefined {
  const types = (text ?? '').split(',').map((type) => type.trim());
  const named = types.filter((type) => type !== '');
  return named.length === 0 ? undefined : named;
}
