import {
  type ContextEventType,
  type RecordedContextEvent,
  authorOf,
  contextEvents,
} from './context.events.js';

/**
 * What of an event an audience's policy may go by. `step`: the step it is of. `about`: whom or what it concerns, where
 * events of its type differ in that: the kind of a record, which signal it is, the agent a handover is for or an input is
 * asked of.
 */
export type Source = Readonly<{
  type: ContextEventType;
  visibility: RecordedContextEvent['visibility'];
  author: string;
  step: string | null;
  about: string | null;
}>;

export function sourceOf(event: RecordedContextEvent): Source {
  return {
    type: event.type,
    visibility: event.visibility,
    author: authorOf(event),
    step: namedIn(event.data, 'stepId'),
    about: namedIn(event.data, aboutMembers.get(event.type) ?? ''),
  };
}

/** Events of ever other steps may touch the same item, and no item grows with the history. */
const maxSourcesOfItem = 64;
/** Every completion of an agent makes a row of this kind, which would hold those of all the steps before. */
const maxOfCompletion = 16;

/** How many sources are kept of an item of a kind. */
export function maxSources(kind: string): number {
  return kind === 'completion' ? maxOfCompletion : maxSourcesOfItem;
}

/** The sources of an item once an event has touched it: each once, the newest last; undefined if they are too many. */
export function withSource(
  before: readonly Source[],
  source: Source,
  most: number = maxSourcesOfItem,
): readonly Source[] | undefined {
  const newest = before.at(-1);
  if (newest && isSame(newest, source)) return before;
  const all = [...before.filter((one) => !isSame(one, source)), source];
  return all.length > most ? undefined : all;
}

const aboutMembers: ReadonlyMap<ContextEventType, string | undefined> = new Map(
  contextEvents.map(({ type, aboutMember }) => [type, aboutMember]),
);

function namedIn(data: object, name: string): string | null {
  const value: unknown = Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : null;
}

function isSame(left: Source, right: Source): boolean {
  return (
    left.type === right.type &&
    left.visibility === right.visibility &&
    left.author === right.author &&
    left.step === right.step &&
    left.about === right.about
  );
}
