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
  it('report events, bytes and tokens, and the contexts near or over their threshold', async () => {
    expect(await scraped(sizes)).toEqual([
      'throughline_contexts 3',
      'throughline_contexts_events 40',
      'throughline_contexts_bytes 5000',
      'throughline_contexts_tokens 1250',
      'throughline_contexts_near_token_threshold 2',
      'throughline_contexts_over_token_threshold 1',
    ]);
  });

  it('report nothing if the database does not answer', async () => {
    await expect(scraped(undefined)).resolves.toEqual([]);
  });
});

async function scraped(measured: ContextSizes | undefined): Promise<string[]> {
  const registry = new Registry();
  new ContextMetrics(registry, () => Promise.resolve(measured));
  const text = await registry.metrics();
  return text.split('\n').filter((line) => /^throughline/.test(line));
}
