import {
  type ContextState,
  type Item,
  type ItemKind,
  Staleness,
  childKinds,
  renderFamily,
  visibleChild,
} from '#shared-context';

import { Entry } from '../entries/entry.js';
import { childRef } from '../entries/item-ref.js';
import { type Section } from '../entries/section.js';
import { codeSpan } from '../entries/quoted-text.js';

import { entryOf } from './item-entry.js';

const shownKinds: readonly ItemKind[] = ['decision', 'step-failure', 'review', 'record'];

/** The section in which a view shows children. */
export const childSection: Section = 'records';

/** Kinds of a child's items that {@link childEntry} uses. */
export const childEntryKinds: readonly ItemKind[] = [...shownKinds, ...childKinds];

/** `isShown`: whether the reader may see an item; default: all. `counted`: whether the rows of the items count work. */
type ChildVisibility = Readonly<{
  isShown?: ((item: Item) => boolean) | undefined;
  counted?: boolean;
}>;

/** A child of a context as one entry: its outcome, live decisions, failures, reviews and records, oldest first. */
export function childEntry(
  contextId: string,
  state: ContextState,
  visibility: ChildVisibility = {},
): Entry {
  const items = [...state.values()].filter(({ kind }) => shownKinds.includes(kind));
  const status = { staleness: Staleness.of(items) };
  const rendered = items
    .filter(({ kind, state: facts }) => kind !== 'decision' || facts['status'] === 'live')
    .map((item) => entryOf(item, childSection, status))
    // The order of items in a state depends on how far the projection has come.
    .sort(oldestFirst);
  const members = Object.fromEntries(
    rendered.map(({ ref, author, value }) => [
      author === null ? ref : `${ref} by ${codeSpan(author)}`,
      value,
    ]),
  );
  const facts = {
    ref: childRef(contextId),
    kind: 'creation' as const,
    key: contextId,
    section: childSection,
    version: 0,
    author: null,
    pinned: false,
    isPast: false,
    isByPerson: false,
    statusLabels: statusOfChild(contextId, state, visibility),
  } as const;
  const value = Object.fromEntries(rendered.map((entry) => [entry.ref, entry.value]));
  return new Entry(facts, { members, value });
}

function oldestFirst(left: Entry, right: Entry): number {
  return left.version - right.version || (left.ref < right.ref ? -1 : 1);
}

function statusOfChild(
  contextId: string,
  state: ContextState,
  { isShown = () => true, counted }: ChildVisibility,
): readonly string[] {
  const shown = [...state.values()].filter(isShown);
  const [child] = renderFamily([visibleChild(contextId, shown, counted)]).children;
  const { title, outcome } = child ?? {};
  const name = typeof title === 'string' ? [`title ${codeSpan(title)}`] : [];
  return typeof outcome === 'string' ? [...name, `outcome ${outcome}`] : name;
}
