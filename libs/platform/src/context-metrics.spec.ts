import { Registry } from 'prom-client';

import { type ContextSizes } from '#read-models';

import { ContextMetrics } from './context-metrics.js';

const sizes: ContextSizes = {
  contexts: 3,
  events: 40,
  bytes: 5_000,
  tokens: 1_250,
  nearThreshold: 2,
  overThreshold: 1,
};

describe('the metrics of contexts', () => {
  it('say events, bytes and tokens, and how many are near their threshold or beyond it', async () => {
    expect(await scraped(sizes)).toEqual([
      'throughline_contexts 3',
      'throughline_contexts_events 40',
      'throughline_contexts_bytes 5000',
      'throughline_contexts_tokens 1250',
      'throughline_contexts_near_token_threshold 2',
      'throughline_contexts_over_token_threshold 1',
    ]);
  });

  it('say nothing where the database does not answer', async () => {
    await expect(scraped(undefined)).resolves.toEqual([]);
  });
});

async function scraped(found: ContextSizes | undefined): Promise<string[]> {
  const registry = new Registry();
  new ContextMetrics(registry, () => Promise.resolve(found));
  const text = await registry.metrics();
  return text.split('\n').filter((line) => /^throughline/.test(line));
}
