import { type JsonValue, isJsonObject } from '#event-sourcing';
import { type Item, type ItemKind, itemKindDefinitions } from '#shared-context';

import { memberOf } from './json-member.js';

/** The sections of a view that a request can name, in the order in which they are shown. */
export const sections = [
  'input',
  'state',
  'work',
  'preferences',
  'global',
  'decisions',
  'outputs',
  'failures',
  'artifacts',
  'records',
  'reviews',
  'handovers',
  'requirements',
  'plan',
  'tasks',
  'signals',
  'summaries',
  'derived',
] as const;

export type Section = (typeof sections)[number];

const shownKinds = itemKindDefinitions.flatMap(({ kind, view }) =>
  view ? [{ kind, ...view }] : [],
);

const timeline: ReadonlyMap<ItemKind, Section> = new Map<ItemKind, Section>(
  shownKinds.map(({ kind, section }) => [kind, section]),
);

/** Members that the heading of an entry shows. */
export const inHeading: ReadonlyMap<ItemKind, readonly string[]> = new Map(
  shownKinds.map(({ kind, heading = [] }) => [kind, heading]),
);

/** Kinds of items in the timeline of a view; work only after it is done. */
export const timelineKinds: readonly ItemKind[] = [...timeline.keys()];

/** The section of an item in the timeline; undefined for open work, which is shown at the end of a view. */
export function timelineSection(item: Item): Section | undefined {
  return isInTimeline(item) ? timeline.get(item.kind) : undefined;
}

/** The input a context was created with; undefined if it has none or an empty one. */
export function inputOf({ body }: Pick<Item, 'body'>): JsonValue | undefined {
  const input = memberOf(body, 'input');
  return isJsonObject(input) && Object.keys(input).length === 0 ? undefined : input;
}

const openUntilDone = kindsShown('not open');
const shownOnceCompleted = kindsShown('completed');

function kindsShown(condition: 'completed' | 'not open'): ReadonlySet<ItemKind> {
  return new Set(shownKinds.flatMap(({ kind, when }) => (when === condition ? [kind] : [])));
}

function isInTimeline(item: Item): boolean {
  const { kind, state } = item;
  if (kind === 'creation') return inputOf(item) !== undefined;
  if (openUntilDone.has(kind)) return state['status'] !== 'open';
  return !shownOnceCompleted.has(kind) || state['status'] === 'completed';
}
