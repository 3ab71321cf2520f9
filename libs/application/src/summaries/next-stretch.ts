import { type ItemKind, maxSources } from '#shared-context';
import { refOf, timelineKinds, timelineSection } from '#context-views';
import { type SizedItem } from '#read-models';

/**
 * Kinds that summaries cover. Decisions are not: views show them in full while they are in force, and as references afterwards.
 * The input of the context is never rolled up either.
 */
export const summarizedKinds: readonly ItemKind[] = timelineKinds.filter(
  (kind) => kind !== 'decision' && kind !== 'creation',
);

/** Refs of odd keys are long, and all of one summary go into one append, which has an end. */
const refsRoom = 262_144;

/** What is to be summarized next: whole versions, oldest first, up to version `to`. */
export type Stretch = Readonly<{ items: readonly SizedItem[]; to: number; tokens: number }>;

/** `tokens`: of everything that may be summarized; `stretch` is undefined while that is below the threshold. */
type UncoveredItems = Readonly<{ tokens: number; stretch: Stretch | undefined }>;

/**
 * About `thresholdTokens` of the oldest items that no summary covers, once there are as many. So each summary takes its
 * model about the same, however much there is to catch up with.
 */
export function nextStretch(items: readonly SizedItem[], thresholdTokens: number): UncoveredItems {
  const told = items.filter(({ item }) => timelineSection(item)).toSorted(byAge);
  const tokens = sumOf(told);
  if (tokens < thresholdTokens) return { tokens, stretch: undefined };
  const taken: SizedItem[] = [];
  for (const version of versionsOf(told)) {
    if (sumOf(taken) >= thresholdTokens || !hasRoom([...taken, ...version])) break;
    taken.push(...version);
  }
  // Never nothing, whatever one version holds.
  const stretch = taken.length > 0 ? taken : told.slice(0, 1);
  const to = stretch.at(-1)?.item.fromVersion ?? 0;
  return { tokens, stretch: { items: stretch, to, tokens: sumOf(stretch) } };
}

function hasRoom(items: readonly SizedItem[]): boolean {
  const characters = items.reduce((sum, { item }) => sum + refOf(item).length, 0);
  return items.length <= maxSources && characters <= refsRoom;
}

function versionsOf(items: readonly SizedItem[]): readonly SizedItem[][] {
  return [...Map.groupBy(items, ({ item }) => item.fromVersion).values()];
}

/** As sizes of contexts are estimated. */
function sumOf(items: readonly SizedItem[]): number {
  return items.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 4), 0);
}

function byAge({ item: left }: SizedItem, { item: right }: SizedItem): number {
  return left.fromVersion - right.fromVersion || (refOf(left) < refOf(right) ? -1 : 1);
}
