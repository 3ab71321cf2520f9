import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import {
  type ContextReader,
  type SizedContext,
  type SummaryLease,
  claimSummary,
  findSizedItems,
  releaseSummary,
  settleSummary,
} from '#read-models';
import { type ContextId, ContextClosedError } from '#shared-context';
import { type Summarizer, type SummaryAnswer } from '#summarizers';

import { newId } from '../new-id.js';
import { type SettingsStore } from '../settings/settings-store.js';
import { type CommandProcessor } from '../writing/command-processor.js';
import { type ItemRange, nextRange, summarizedKinds } from './next-range.js';
import { type SummaryCoverage, findCoverage, readMaterial } from './summary-material.js';
import { addSummary } from './summary-write.js';
import { usableText } from './usable-text.js';

export type SummarizerScope = Readonly<{
  db: Kysely<Database>;
  store: EventStore;
  reader: ContextReader;
  writer: Pick<CommandProcessor, 'submit'>;
  settings: Pick<SettingsStore, 'find'>;
  summarizer: Summarizer;
  /** A context gets a new summary once this many of its tokens are not covered by one. */
  thresholdTokens: number;
  /** After this time another process may try; longer than a summary takes. */
  leaseSeconds: number;
}>;

/** `added`: the answer of the model. `busy`: another process holds the lease, or the context is not due yet. */
type SummaryResult =
  | Readonly<{ kind: 'added'; answer: SummaryAnswer }>
  | Readonly<{ kind: 'nothing' | 'busy' }>;

const maxTokens = 2_000;
/** The pause after which a context is tried again if summaries are off, it is closed, or its rows lag behind. */
const postponeSeconds = 1;
const firstPauseSeconds = 30;
const longestPauseSeconds = 3_600;

/**
 * Summarizes the items of a context that no summary covers, once they exceed the threshold. Any number of processes may
 * try: only one at a time calls the model, and a summary that another one has overtaken is not added. Throws
 * SummarizerError after it has postponed the context, and the reason of the signal after it has released the lease.
 */
export async function summarizeContext(
  site: SummarizerScope,
  id: ContextId,
  signal: AbortSignal,
): Promise<SummaryResult> {
  const { db, leaseSeconds: seconds } = site;
  const lease = await claimSummary(db, id, { lease: newId(), seconds });
  if (!lease) return { kind: 'busy' };
  try {
    return await summarize(site, lease, signal);
  } catch (error) {
    const pause = signal.aborted
      ? { seconds: 0, failed: false }
      : { seconds: pauseAfter(lease.failures), failed: true };
    await releaseSummary(db, lease, pause);
    // The context was closed meanwhile, which is not a failure.
    if (error instanceof ContextClosedError) return { kind: 'nothing' };
    throw error;
  }
}

export function pauseAfter(failures: number): number {
  return Math.min(firstPauseSeconds * 2 ** failures, longestPauseSeconds);
}

async function summarize(
  site: SummarizerScope,
  lease: SummaryLease,
  signal: AbortSignal,
): Promise<SummaryResult> {
  const { db, reader, settings, thresholdTokens } = site;
  const { summaries } = await settings.find(lease.workspace);
  if (!summaries) return postpone(db, lease);
  const coverage = await findCoverage(reader, lease);
  const rows = await findRows(site, lease, coverage);
  if (!rows) return postpone(db, lease);
  const { tokens, range } = nextRange(rows.items, thresholdTokens);
  const answer = range && (await summarizeRange(site, lease, { coverage, range, signal }));
  await settleSummary(db, lease, rows.tokens - tokens + (answer ? range.tokens : 0));
  return answer ? { kind: 'added', answer } : { kind: 'nothing' };
}

async function postpone(db: SummarizerScope['db'], lease: SummaryLease): Promise<SummaryResult> {
  await releaseSummary(db, lease, { seconds: postponeSeconds, failed: false });
  return { kind: 'nothing' };
}

/** Undefined if the context is closed, or if its rows lack a restore and so contain reverted items. */
async function findRows(
  { db, store }: SummarizerScope,
  id: ContextId,
  { isOpen, lineage, to }: SummaryCoverage,
): Promise<SizedContext | undefined> {
  const rows = await findSizedItems({ db, store }, id, { kinds: summarizedKinds, after: to });
  return isOpen && rows?.lineage === lineage ? rows : undefined;
}

type RangeRequest = Readonly<{
  coverage: SummaryCoverage;
  range: ItemRange;
  signal: AbortSignal;
}>;

/** Undefined if another summary was stored first, or if none of the items remain. */
async function summarizeRange(
  { reader, summarizer, writer }: SummarizerScope,
  { workspace, contextId }: ContextId,
  { coverage, range, signal }: RangeRequest,
): Promise<SummaryAnswer | undefined> {
  const id = { workspace, contextId };
  const material = await readMaterial(reader, id, range, coverage);
  if (!material) return undefined;
  const { entries, visibility, from } = material;
  const { previous, lineage: sourceLineage } = coverage;
  const request = { previous: previous?.text, entries, maxTokens, signal };
  const answer = await summarizer.summarize(request);
  const data = {
    summaryId: newId(),
    text: usableText(answer.text, previous?.text),
    covers: { from, to: range.to },
    sources: entries.map(({ ref }) => ref),
    ...(previous && { previous: previous.summaryId }),
    model: summarizer.model,
    promptHash: summarizer.promptHash,
    tokens: { input: answer.inputTokens, output: answer.outputTokens },
  };
  const command = { type: 'AddSummary', data, visibility, sourceLineage } as const;
  const written = await addSummary(writer, id, command);
  return written.kind === 'stored' ? answer : undefined;
}
