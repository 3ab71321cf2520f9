import { type Kysely } from 'kysely';

import { type SummaryWorker, openSummaries as openWorker } from '#application';
import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { type Summarizer, anthropicSummarizer, openAiSummarizer } from '#summarizers';

import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { type Metrics } from './metrics.js';
import { type SummarizerConfig } from './summarizer-config.js';

type SummariesOptions = Readonly<{
  config: Config;
  projectorDb: Kysely<Database>;
  store: EventStore;
  log: Logger;
  metrics: Metrics;
}>;

/** Opens the worker that lets the configured model summarize contexts; undefined if no model is configured. */
export function openSummaries({
  config,
  projectorDb: db,
  store,
  log,
  metrics,
}: SummariesOptions): SummaryWorker | undefined {
  if (!config.summarizer) return undefined;
  const { thresholdTokens, timeoutMs } = config.summarizer;
  const { appendTimeoutMs } = config;
  const summarizer = summarizerOf(config.summarizer);
  return openWorker(
    { db, store, summarizer, thresholdTokens, timeoutMs, appendTimeoutMs },
    {
      added: (context, { inputTokens, outputTokens }) => {
        metrics.summaries.inc({ outcome: 'ok' });
        metrics.summaryTokens.inc({ direction: 'input' }, inputTokens);
        metrics.summaryTokens.inc({ direction: 'output' }, outputTokens);
        log.info({ ...context, inputTokens, outputTokens }, 'a context was summarized');
      },
      failed: (context, { message, fault }, retryInMs) => {
        metrics.summaries.inc({ outcome: 'failed' });
        const { name, model } = summarizer;
        log.warn(
          { ...context, summarizer: name, model, reason: message, fault, retryInMs },
          'a model did not summarize a context',
        );
      },
      broken: (error, retryInMs) =>
        log.warn({ err: error, retryInMs }, 'contexts could not be summarized'),
    },
  );
}

function summarizerOf({ protocol, ...service }: SummarizerConfig): Summarizer {
  return protocol === 'openai' ? openAiSummarizer(service) : anthropicSummarizer(service);
}
