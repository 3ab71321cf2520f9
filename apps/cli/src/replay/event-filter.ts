import { type ShownEvent, authorOf, stepOf } from './context-event.js';

/** What of a history is wanted; what is left out is no limit. */
export type EventFilter = Readonly<{
  types?: readonly string[] | undefined;
  agent?: string | undefined;
  step?: string | undefined;
}>;

export function matches(event: ShownEvent, { types, agent, step }: EventFilter): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (agent === undefined || authorOf(event) === agent) &&
    (step === undefined || stepOf(event) === step)
  );
}

/** Names as typed: separated by commas; nothing is no limit. */
export function typesOf(text: string | undefined): readonly string[] | undefined {
  const types = (text ?? '').split(',').map((type) => type.trim());
  const named = types.filter((type) => type !== '');
  return named.length === 0 ? undefined : named;
}
