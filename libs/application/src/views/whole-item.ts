import {
  type Entry,
  type Standing,
  type StandingPart,
  entryOf,
  newestSummary,
  refOf,
  standingParts,
  timelineKinds,
  timelineSection,
  wholeText,
} from '#context-views';
import { type Item, type ItemKind } from '#shared-context';

/** An item as views show it whole; `version` is where it stands in a view, below 1 where it was inherited. */
export type WholeItem = Readonly<{ ref: string; version: number; text: string }>;

/** Kinds of which views show items by themselves. */
export const wholeItemKinds: ReadonlySet<ItemKind> = new Set<ItemKind>([
  ...timelineKinds,
  ...(['preference', 'global', 'issue', 'loop'] as const),
]);

/** Undefined for items that views do not show. */
export function wholeItem(item: Item, standing: Standing): WholeItem | undefined {
  const entry = entryIn(item, standing);
  if (entry) return { ref: entry.ref, version: entry.version, text: wholeText(entry) };
  const part = standingPart(item);
  return part && { ref: refOf(item), version: part.version, text: part.whole };
}

/** Empty for items that views do not show. */
export function textOfItem(item: Item, standing: Standing): string {
  if (item.kind === 'summary') return newestSummary([item])?.text ?? '';
  return wholeItem(item, standing)?.text ?? '';
}

function entryIn(item: Item, standing: Standing): Entry | undefined {
  const section = timelineSection(item);
  return section && entryOf(item, section, standing);
}

function standingPart(item: Item): StandingPart | undefined {
  return standingParts([item]).find(({ ref }) => ref === refOf(item));
}
