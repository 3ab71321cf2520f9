import { Registry } from 'prom-client';

import { type ProjectionStatus } from '#read-models';

import { ProjectionMetrics, type ProjectionReading } from './projection-metrics.js';

const status: ProjectionStatus = {
  name: 'shared-context',
  version: 1,
  storeIdentity: 'this',
  state: 'catching-up',
  reason: '5 events behind',
  lagEvents: 5,
  lagSeconds: 1.5,
  deadLetters: 2,
  rebuiltAt: null,
  partitions: [],
};

describe('the metrics of projections', () => {
  it('report the lag, the dead letters and the state', async () => {
    const lines = await scraped({
      projections: [status],
      rebuilds: [],
      search: { lagEvents: 3, failed: 1 },
    });
    expect(lines).toEqual([
      'throughline_projection_lag_events{projection="shared-context"} 5',
      'throughline_projection_lag_seconds{projection="shared-context"} 1.5',
      'throughline_projection_state{projection="shared-context",state="idle"} 0',
      'throughline_projection_state{projection="shared-context",state="catching-up"} 1',
      'throughline_projection_state{projection="shared-context",state="live"} 0',
      'throughline_projection_state{projection="shared-context",state="stuck"} 0',
      'throughline_projection_dead_letters{projection="shared-context"} 2',
      'throughline_search_lag_events 3',
      'throughline_search_failed_contexts 1',
    ]);
  });

  it('report nothing if the database does not answer, instead of earlier values', async () => {
    await expect(scraped(undefined)).resolves.toEqual([]);
  });

  it('query once per scrape', async () => {
    let queries = 0;
    const registry = new Registry();
    new ProjectionMetrics(registry, () => {
      queries++;
      return Promise.resolve(undefined);
    });
    await registry.metrics();
    expect(queries).toBe(1);
    await registry.metrics();
    expect(queries).toBe(2);
  });
});

async function scraped(reading: ProjectionReading | undefined): Promise<string[]> {
  const registry = new Registry();
  new ProjectionMetrics(registry, () => Promise.resolve(reading));
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
