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
  /** Tokens that no summary covers from which on there is a new one. */
  thresholdTokens: number;
  /** How long the summarizer may take. */
  timeoutMs: number;
  appendTimeoutMs: number;
}>;

/** What a slow database adds to a summary that is under way. */
const leewaySeconds = 12;

/** No transformation has a summary for its source. */
const noTransformations: TransformationSource = {
  find: () => Promise.resolve(TransformationSet.empty),
  mark: () => sql.lit(0),
  findCached: () => ({ set: TransformationSet.empty, counter: { name: '', value: 0 } }),
};

/** What summarizes contexts in the background, once started. */
export function openSummaries(options: SummaryOptions, events?: SummaryEvents): SummaryWorker {
  const { db, store, summarizer, thresholdTokens, timeoutMs, appendTimeoutMs } = options;
  const reader = new ContextReader(db, store);
  const writer = new CommandProcessor(store, reader, noTransformations, {
    appendTimeoutMs,
    now: () => Date.now(),
  });
  // A write decides lost races anew for at most twice the time of an append, and then appends once more.
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
