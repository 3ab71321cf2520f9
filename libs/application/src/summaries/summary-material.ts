import { entryOf, timelineSection, wholeText } from '#context-views';
import { type ContextReader, type SizedItem } from '#read-models';
import {
  type ContextId,
  type Item,
  type SummaryFacts,
  type Visibility,
  summarizedIn,
  summarizedKey,
  summaryFacts,
  summaryKey,
} from '#shared-context';
import { type SummaryEntry } from '#summarizers';

import { type ItemRange } from './next-range.js';

/**
 * The version up to which summaries reach, the newest summary, and the newest restore or fork at the time of the read.
 */
export type SummaryCoverage = Readonly<{
  previous: (SummaryFacts & Readonly<{ visibility: Visibility }>) | undefined;
  /** The version up to which summaries reach; below every version if there is none. */
  to: number;
  lineage: number | null;
  isOpen: boolean;
}>;

type Material = Readonly<{
  entries: readonly SummaryEntry[];
  /** `working` if any summarized item is a working note. */
  visibility: Visibility;
  from: number;
}>;

/** Versions have four bytes in the database. */
const belowAll = -(2 ** 31);

/** The maximum length of the text of an entry, in characters; the middle of a longer one is omitted. */
const entryRoom = 16_000;

/** Reads the current coverage, including events that are not projected. */
export async function findCoverage(reader: ContextReader, id: ContextId): Promise<SummaryCoverage> {
  const { kind, key } = summarizedKey;
  const { head, state } = await reader.read(id, { keys: [summarizedKey], bodies: true });
  const summarized = summarizedIn(state.get(kind, key));
  return {
    previous: summarized && (await findSummary(reader, id, summarized.summaryId)),
    to: summarized?.to ?? belowAll,
    lineage: head ? head.lineage : null,
    isOpen: head?.status === 'open',
  };
}

async function findSummary(reader: ContextReader, id: ContextId, summaryId: string) {
  const { state } = await reader.read(id, { keys: [summaryKey(summaryId)], bodies: true });
  const item = state.get('summary', summaryId);
  return item && { ...summaryFacts(item), visibility: visibilityOf([item]) };
}

/**
 * The texts of a range, without items that have changed since: a later summary covers these. Undefined if no items
 * remain.
 */
export async function readMaterial(
  reader: ContextReader,
  id: ContextId,
  { items, to }: ItemRange,
  { previous }: SummaryCoverage,
): Promise<Material | undefined> {
  const keys = items.map(({ item: { kind, key } }) => ({ kind, key }));
  const { state } = await reader.read(id, { keys, bodies: true });
  const current = items.flatMap(({ item }: SizedItem) => state.get(item.kind, item.key) ?? []);
  const unchanged = current.filter(({ fromVersion }) => fromVersion <= to);
  const entries = unchanged.flatMap((item) => entryFor(item) ?? []);
  if (entries.length === 0) return undefined;
  const isWorking = previous?.visibility === 'working' || visibilityOf(unchanged) === 'working';
  const oldest = unchanged.reduce((from, { fromVersion }) => Math.min(from, fromVersion), to);
  return {
    entries,
    visibility: isWorking ? 'working' : 'record',
    from: previous ? previous.covers.from : oldest,
  };
}

function entryFor(item: Item): SummaryEntry | undefined {
  const section = timelineSection(item);
  if (!section) return undefined;
  const entry = entryOf(item, section);
  return { ref: entry.ref, text: clipped(wholeText(entry)) };
}

function clipped(text: string): string {
  if (text.length <= entryRoom) return text;
  const half = entryRoom / 2;
  const left = text.length - entryRoom;
  return `${text.slice(0, half)}\n[${left} characters left out]\n${text.slice(-half)}`.toWellFormed();
}

/** Items with unknown sources may be working notes. */
function visibilityOf(items: readonly Item[]): Visibility {
  const isRecord = items.every(({ sources }) =>
    sources?.every(({ visibility }) => visibility === 'record'),
  );
  return isRecord ? 'record' : 'working';
}
