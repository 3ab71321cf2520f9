import { type ItemKind, maxSources } from '#shared-context';
import { refOf, timelineKinds, timelineSection } from '#context-views';
import { type SizedItem } from '#read-models';

/**
 * Kinds that summaries cover. Decisions are not covered: views show live ones in full, and others as references. The
 * input of the context is never rolled up either.
 */
export const summarizedKinds: readonly ItemKind[] = timelineKinds.filter(
  (kind) => kind !== 'decision' && kind !== 'creation',
);

/**
 * The maximum number of characters of all refs of a summary, which must fit into one append; unusual keys make long
 * refs.
 */
const refsRoom = 262_144;

/** The items to summarize next: complete versions, oldest first, up to version `to`. */
export type ItemRange = Readonly<{ items: readonly SizedItem[]; to: number; tokens: number }>;

/**
 * `tokens`: the tokens of all items that may be summarized; `range` is undefined while they are below the threshold.
 */
type UncoveredItems = Readonly<{ tokens: number; range: ItemRange | undefined }>;

/**
 * Selects about `thresholdTokens` of the oldest items that no summary covers, once there are as many. So the cost of a
 * summary does not depend on the backlog.
 */
export function nextRange(items: readonly SizedItem[], thresholdTokens: number): UncoveredItems {
  const eligible = items.filter(({ item }) => timelineSection(item)).toSorted(byAge);
  const tokens = sumOf(eligible);
  if (tokens < thresholdTokens) return { tokens, range: undefined };
  const taken: SizedItem[] = [];
  for (const version of versionsOf(eligible)) {
    if (sumOf(taken) >= thresholdTokens || !hasRoom([...taken, ...version])) break;
    taken.push(...version);
  }
  // At least one item, even if its version exceeds the limits.
  const range = taken.length > 0 ? taken : eligible.slice(0, 1);
  const to = range.at(-1)?.item.fromVersion ?? 0;
  return { tokens, range: { items: range, to, tokens: sumOf(range) } };
}

function hasRoom(items: readonly SizedItem[]): boolean {
  const characters = items.reduce((sum, { item }) => sum + refOf(item).length, 0);
  return items.length <= maxSources && characters <= refsRoom;
}

function versionsOf(items: readonly SizedItem[]): readonly SizedItem[][] {
  return [...Map.groupBy(items, ({ item }) => item.fromVersion).values()];
}

/** Estimates tokens in the same way as the sizes of contexts. */
function sumOf(items: readonly SizedItem[]): number {
  return items.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 4), 0);
}

function byAge({ item: left }: SizedItem, { item: right }: SizedItem): number {
  return left.fromVersion - right.fromVersion || (refOf(left) < refOf(right) ? -1 : 1);
}
