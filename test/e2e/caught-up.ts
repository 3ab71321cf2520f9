import { waitFor } from '#testing';

import { type Reply, type ThroughlineServer } from './throughline-server.js';

/**
 * Repeats a list, a search or an inbox until its rows are current (they may lag), and returns the answer. A refusal is
 * returned at once.
 */
export function currentAnswer(ask: () => Promise<Reply>): Promise<Reply> {
  return waitFor('an answer with X-Projection-Lag: 0', ask, {
    until: ({ status, headers }) => status !== 200 || headers['x-projection-lag'] === '0',
  });
}

/** Resolves once the rows of lists include all events written before the call. */
export async function caughtUp(server: ThroughlineServer): Promise<void> {
  const { status } = await currentAnswer(() => server.get('/v1/contexts?limit=1'));
  expect(status).toBe(200);
}
