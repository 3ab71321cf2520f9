import {
  type Entry,
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

import { type Decisions } from '../reading/basis-decisions.js';

/** An item as views show it whole; `version` is where it stands in a view, below 1 where it was inherited. */
export type WholeItem = Readonly<{ ref: string; version: number; text: string }>;

/** Kinds of which views show items by themselves. */
export const wholeItemKinds: ReadonlySet<ItemKind> = new Set<ItemKind>([
  ...timelineKinds,
  ...(['preference', 'global', 'issue', 'loop'] as const),
]);

/** Undefined for items that no line of a view stands for. */
export function wholeItem(item: Item, decisions: Decisions): WholeItem | undefined {
  const entry = entryIn(item, decisions);
  if (entry) return { ref: entry.ref, version: entry.version, text: wholeText(entry) };
  const part = standingPart(item);
  return part && { ref: refOf(item), version: part.version, text: part.whole };
}

/** Empty for items that views do not show. */
export function textOfItem(item: Item, decisions: Decisions): string {
  if (item.kind === 'summary') return newestSummary([item])?.text ?? '';
  return wholeItem(item, decisions)?.text ?? '';
}

function entryIn(item: Item, decisions: Decisions): Entry | undefined {
  const section = timelineSection(item);
  return section && entryOf(item, section, decisions);
}

function standingPart(item: Item): StandingPart | undefined {
  return standingParts([item]).find(({ ref }) => ref === refOf(item));
}
