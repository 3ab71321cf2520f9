import { listenToStatements, useTestStore, waitFor } from '#testing';

import { ContextChanges } from '../long-polls/context-changes.js';
import { OwnWrites } from '../writing/own-writes.js';
import { claimParts } from './test-runs.js';
import { WorkArrivals } from './work-arrivals.js';

describe('workers that wait', () => {
  const on = useTestStore();

  it('have rows looked at for all of them by one statement', async () => {
    const changes = new ContextChanges(on.store);
    const failures: unknown[] = [];
    const listen = async (workspace: string, waiting: number) => {
      const { queue } = claimParts(on.db);
      const note = (error: unknown) => void failures.push(error);
      const arrivals = new WorkArrivals(changes, queue, new OwnWrites(), note);
      const workers = Array.from({ length: waiting }, (_, at) => ({
        filter: {
          workspace,
          audience: 'all',
          agents: [`agent-${at % 3}`],
          contexts: null,
          workflows: null,
        },
        taker: { take: () => undefined, stop: () => undefined },
      }));
      for (const { filter, taker } of workers) await arrivals.listen(filter, taker);
      return () => {
        for (const { filter, taker } of workers) arrivals.forget(filter, taker);
      };
    };
    const forgets: (() => void)[] = [];
    // Statements are added to the list for as long as nobody asks for others.
    const sent = await listenToStatements(on.pool).withValues(async () => {
      forgets.push(await listen('crowded', 1_500), await listen('quiet', 1));
    });
    const looksIn = (workspace: string) =>
      sent.filter(
        ({ text, values }) => text.includes('throughline.open_work') && values.includes(workspace),
      ).length;
    await waitFor('two looks for one worker', () => looksIn('quiet') >= 2);
    for (const forget of forgets) forget();
    changes.stop();
    // Each look is followed by at least half a second, in either workspace.
    expect(looksIn('crowded')).toBeGreaterThan(0);
    expect(looksIn('crowded')).toBeLessThan(20);
    expect(failures).toEqual([]);
  });
});
