import {
  type Item,
  type ItemKind,
  Staleness,
  activityKinds,
  activityOf,
  finish,
} from '#shared-context';

import { type ViewSource } from '../compose/layout.js';
import { TimelineIndex } from '../compose/timeline-index.js';
import { type StatusContext } from '../entries/item-status.js';
import { type Entry } from '../entries/entry.js';
import { memberOf } from '../entries/json-member.js';
import { type Section, timelineKinds } from '../entries/section.js';
import { codeSpan } from '../entries/quoted-text.js';
import { currentStateSectionsInSteps } from '../entries/current-state-sections.js';
import { newestSummary } from '../entries/view-summary.js';
import { Outlines, entriesOf } from './item-entry.js';

/** Kinds of items in a view. */
export const viewKinds: readonly ItemKind[] = [
  ...new Set<ItemKind>([
    ...timelineKinds,
    ...(['creation', 'preference', 'global', 'issue', 'loop', 'summary'] as const),
    ...(['run', 'run-step'] as const),
    ...activityKinds,
  ]),
];

export type Contents = Readonly<{
  contextId: string;
  items: readonly Item[];
  /** All sections if absent. */
  sections?: ReadonlySet<Section> | undefined;
  /** Whether an item is shown; the other items only affect the status of these. */
  isShown?: ((item: Item) => boolean) | undefined;
  /** A source of mostly the same items. Entries and parts of the same items are reused. */
  like?: ViewSource | undefined;
  /** Whether the rows of the items count work; true if absent. */
  counted?: boolean | undefined;
}>;

/** The content of a view of the items of a context. */
export function viewSource(contents: Contents): ViewSource {
  return finish(viewSourceInSteps(contents));
}

/** As {@link viewSource}, in steps: there may be many items. */
export function* viewSourceInSteps(contents: Contents): Generator<void, ViewSource> {
  const { items, isShown, sections, counted, like } = contents;
  const shown = isShown ? items.filter(isShown) : items;
  const status = statusAmong(items, isShown, new Outlines(like?.timeline).of);
  const timelineSource = yield* timelineSourceInSteps(contents, status);
  const parts = yield* currentStateSectionsInSteps(
    shown,
    activityOf(shown, counted),
    like?.currentState,
  );
  return {
    ...timelineSource,
    currentState: parts.filter(({ section }) => sections?.has(section) ?? true),
  };
}

/** As {@link viewSource}, without the current state: computing it is slow, and callers may have it. */
export function* timelineSourceInSteps(
  { contextId, items, sections, isShown, like }: Contents,
  status: StatusContext,
): Generator<void, Omit<ViewSource, 'currentState'>> {
  const shown = isShown ? items.filter(isShown) : items;
  const isIncluded = ({ section }: Readonly<{ section: Section }>) =>
    sections?.has(section) ?? true;
  const entries: Entry[] = [];
  for (const entry of entriesOf(shown, status, like?.timeline)) {
    yield;
    if (!isIncluded(entry)) continue;
    entries.push(entry);
    // Computing a size takes time, and the index needs all sizes at once.
    void entry.size;
  }
  return {
    header: headerOf(contextId, items),
    timeline: TimelineIndex.of(entries),
    summary: newestSummary(shown.filter(({ kind }) => kind === 'summary' && isIncluded(summaries))),
  };
}

const summaries: Readonly<{ section: Section }> = { section: 'summaries' };

/** The part of a source that belongs to these sections. */
export function partOf(source: ViewSource, sections: ReadonlySet<Section>): ViewSource {
  const isIncluded = ({ section }: Readonly<{ section: Section }>) => sections.has(section);
  return {
    header: source.header,
    timeline: source.timeline.filter(isIncluded),
    currentState: source.currentState.filter(isIncluded),
    summary: isIncluded(summaries) ? source.summary : undefined,
  };
}

function headerOf(contextId: string, items: readonly Item[]): string {
  const title = memberOf(items.find(({ kind }) => kind === 'creation')?.body, 'title');
  const named = typeof title === 'string' ? `: ${codeSpan(title)}` : '';
  return `# context ${codeSpan(contextId)}${named}\n`;
}

/** The staleness of items. Hidden decisions are not named. `outline`: returns the outline of an item. */
export function statusAmong(
  items: readonly Item[],
  isShown: ((item: Item) => boolean) | undefined,
  outline: (item: Item) => Item = new Outlines().of,
): StatusContext {
  const decisions = items.filter(({ kind }) => kind === 'decision');
  const staleness = Staleness.of(decisions.map(outline));
  if (!isShown || staleness === Staleness.none) return { staleness, outline };
  const named = new Set(decisions.filter(isShown).map(({ key }) => key));
  return { staleness, outline, isNamed: (decisionId) => named.has(decisionId) };
}

/** Estimated tokens of everything in a source: a quarter of its characters. */
export function sizeOfSource({ timeline, currentState }: ViewSource): number {
  const characters = currentState.reduce((sum, part) => sum + part.length, 0);
  return timeline.size + Math.ceil(characters / 4);
}
