import {
  type Entry,
  type StatusContext,
  type CurrentStateSection,
  entryOf,
  newestSummary,
  refOf,
  currentStateSections,
  timelineKinds,
  timelineSection,
  wholeText,
} from '#context-views';
import { type Item, type ItemKind } from '#shared-context';

/** The full text of an item in views; `version` is its position in a view, below 1 if it was inherited. */
export type ItemDetails = Readonly<{ ref: string; version: number; text: string }>;

/** Kinds whose items have their own entries in views. */
export const wholeItemKinds: ReadonlySet<ItemKind> = new Set<ItemKind>([
  ...timelineKinds,
  ...(['preference', 'global', 'issue', 'loop'] as const),
]);

/** Undefined for items that views do not show. */
export function wholeItem(item: Item, status: StatusContext): ItemDetails | undefined {
  const entry = entryIn(item, status);
  if (entry) return { ref: entry.ref, version: entry.version, text: wholeText(entry) };
  const part = stateSection(item);
  return part && { ref: refOf(item), version: part.version, text: part.whole };
}

/** Empty for items that views do not show. */
export function textOfItem(item: Item, status: StatusContext): string {
  if (item.kind === 'summary') return newestSummary([item])?.text ?? '';
  return wholeItem(item, status)?.text ?? '';
}

function entryIn(item: Item, status: StatusContext): Entry | undefined {
  const section = timelineSection(item);
  return section && entryOf(item, section, status);
}

function stateSection(item: Item): CurrentStateSection | undefined {
  return currentStateSections([item]).find(({ ref }) => ref === refOf(item));
}
