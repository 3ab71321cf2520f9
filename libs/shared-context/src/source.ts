import {
  type ContextEventType,
  type RecordedContextEvent,
  authorOf,
  contextEvents,
} from './context.events.js';

/**
 * The properties of an event that the policy of an audience can use. `step`: the step of the event. `about`: its
 * subject, if policies distinguish events of the type by that: the kind of a record, the name of a signal, the
 * recipient of a handover, the agent from which an input is requested.
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
    step: textMember(event.data, 'stepId'),
    about: textMember(event.data, aboutMembers.get(event.type) ?? ''),
  };
}

/** Events of many different steps may change the same item, and an item must not grow with the history. */
const maxSourcesOfItem = 64;
/** Every completion of an agent adds a row of this kind, which would contain the sources of all earlier steps. */
const maxOfCompletion = 16;

/** The maximum number of sources that an item of a kind retains. */
export function maxSources(kind: string): number {
  return kind === 'completion' ? maxOfCompletion : maxSourcesOfItem;
}

/** The sources of an item after an event: without duplicates, newest last; undefined if there are too many. */
export function withSource(
  before: readonly Source[],
  source: Source,
  limit: number = maxSourcesOfItem,
): readonly Source[] | undefined {
  const newest = before.at(-1);
  if (newest && isSame(newest, source)) return before;
  const all = [...before.filter((one) => !isSame(one, source)), source];
  return all.length > limit ? undefined : all;
}

const aboutMembers: ReadonlyMap<ContextEventType, string | undefined> = new Map(
  contextEvents.map(({ type, aboutMember }) => [type, aboutMember]),
);

function textMember(data: object, name: string): string | null {
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
