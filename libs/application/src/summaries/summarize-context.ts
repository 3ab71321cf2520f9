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
import { type Stretch, nextStretch, summarizedKinds } from './next-stretch.js';
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
  /** Tokens that no summary covers from which on there is a new one. */
  thresholdTokens: number;
  /** Longer than a summary takes: then others may try. */
  leaseSeconds: number;
}>;

/** `added`: what the model answered. `busy`: somebody else is at it, or its time has not come. */
type Summarizing =
  | Readonly<{ kind: 'added'; answer: SummaryAnswer }>
  | Readonly<{ kind: 'nothing' | 'busy' }>;

const maxTokens = 2_000;
/** What is off or closed now, or lags behind, is not due by the next look at it. */
const asideSeconds = 1;
const firstPauseSeconds = 30;
const longestPauseSeconds = 3_600;

/**
 * Summarizes what of a context no summary covers, once that has passed the threshold. Any number of processes may try:
 * one at a time asks the model, and whoever was overtaken all the same adds nothing. Throws SummarizerError once the
 * context is set back for a while, and the signal's reason with the context given back.
 */
export async function summarizeContext(
  site: SummarizerScope,
  id: ContextId,
  signal: AbortSignal,
): Promise<Summarizing> {
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
    // It was closed meanwhile, which is nobody's fault.
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
): Promise<Summarizing> {
  const { db, reader, settings, thresholdTokens } = site;
  const { summaries } = await settings.find(lease.workspace);
  if (!summaries) return setAside(db, lease);
  const coverage = await findCoverage(reader, lease);
  const rows = await findRows(site, lease, coverage);
  if (!rows) return setAside(db, lease);
  const { tokens, stretch } = nextStretch(rows.items, thresholdTokens);
  const answer = stretch && (await summarizeStretch(site, lease, { coverage, stretch, signal }));
  await settleSummary(db, lease, rows.tokens - tokens + (answer ? stretch.tokens : 0));
  return answer ? { kind: 'added', answer } : { kind: 'nothing' };
}

async function setAside(db: SummarizerScope['db'], lease: SummaryLease): Promise<Summarizing> {
  await releaseSummary(db, lease, { seconds: asideSeconds, failed: false });
  return { kind: 'nothing' };
}

/** Undefined if the context is closed, or its rows do not know of a restore yet: they hold what it took back. */
async function findRows(
  { db, store }: SummarizerScope,
  id: ContextId,
  { isOpen, lineage, to }: SummaryCoverage,
): Promise<SizedContext | undefined> {
  const rows = await findSizedItems({ db, store }, id, { kinds: summarizedKinds, after: to });
  return isOpen && rows?.lineage === lineage ? rows : undefined;
}

type StretchRequest = Readonly<{
  coverage: SummaryCoverage;
  stretch: Stretch;
  signal: AbortSignal;
}>;

/** Undefined if somebody else was faster, or what was summarized is no more. */
async function summarizeStretch(
  { reader, summarizer, writer }: SummarizerScope,
  { workspace, contextId }: ContextId,
  { coverage, stretch, signal }: StretchRequest,
): Promise<SummaryAnswer | undefined> {
  const id = { workspace, contextId };
  const material = await readMaterial(reader, id, stretch, coverage);
  if (!material) return undefined;
  const { entries, visibility, from } = material;
  const { previous, lineage: madeBehind } = coverage;
  const request = { previous: previous?.text, entries, maxTokens, signal };
  const answer = await summarizer.summarize(request);
  const data = {
    summaryId: newId(),
    text: usableText(answer.text, previous?.text),
    covers: { from, to: stretch.to },
    sources: entries.map(({ ref }) => ref),
    ...(previous && { previous: previous.summaryId }),
    model: summarizer.model,
    promptHash: summarizer.promptHash,
    tokens: { input: answer.inputTokens, output: answer.outputTokens },
  };
  const command = { type: 'AddSummary', data, visibility, madeBehind } as const;
  const written = await addSummary(writer, id, command);
  return written.kind === 'stored' ? answer : undefined;
}
