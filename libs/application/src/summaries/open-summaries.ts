import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { type Summarizer } from '#summarizers';
import { TransformationSet } from '#transformations';

import { SettingsStore } from '../settings/settings-store.js';
import { defaultSettings } from '../settings/settings.messages.js';
import { CommandProcessor } from '../writing/command-processor.js';
import { type TransformationSource } from '../writing/decision-input-loader.js';
import { maxTries } from './summary-write.js';
import { type SummaryEvents, SummaryWorker } from './summary-worker.js';

type SummaryOptions = Readonly<{
  db: Kysely<Database>;
  store: EventStore;
  summarizer: Summarizer;
  /** A context gets a new summary once this many of its tokens are not covered by one. */
  thresholdTokens: number;
  /** The timeout of the summarizer. */
  timeoutMs: number;
  appendTimeoutMs: number;
}>;

/** Time for a slow database, added to the lease of a summary. */
const leewaySeconds = 12;

/** No transformation has a summary as its source. */
const noTransformations: TransformationSource = {
  find: () => Promise.resolve(TransformationSet.empty),
  mark: () => sql.lit(0),
  findCached: () => ({ set: TransformationSet.empty, counter: { name: '', value: 0 } }),
};

/** Creates the worker that summarizes contexts in the background once it is started. */
export function openSummaries(options: SummaryOptions, events?: SummaryEvents): SummaryWorker {
  const { db, store, summarizer, thresholdTokens, timeoutMs, appendTimeoutMs } = options;
  const reader = new ContextReader(db, store);
  const writer = new CommandProcessor(store, reader, noTransformations, {
    appendTimeoutMs,
    now: () => Date.now(),
  });
  // A write repeats lost races for at most twice the timeout of an append, and then appends once more.
  const writeMs = maxTries * 3 * appendTimeoutMs;
  const leaseSeconds = Math.ceil((timeoutMs + writeMs) / 1000) + leewaySeconds;
  return new SummaryWorker(
    {
      db,
      store,
      reader,
      writer,
      settings: new SettingsStore(db, defaultSettings),
      summarizer,
      thresholdTokens,
      leaseSeconds,
    },
    events,
  );
}
