import { jest } from '@jest/globals';

import { listenToStatements, projectAll, useTestStore, waitFor } from '#testing';

import { ContextChanges } from '../long-polls/context-changes.js';
import { OwnWrites } from '../writing/own-writes.js';
import { TestRuns, claimParts } from './runs.fixture.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WorkArrivals } from './work-arrivals.js';

describe('workers that wait', () => {
  const on = useTestStore();

  it('share one statement that reads rows', async () => {
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

  it('are looked for once at a time when attempts have ended, until the places are handed out', async () => {
    // Nothing is looked for but what ends bring about.
    jest.spyOn(Math, 'random').mockReturnValue(100_000);
    const changes = new ContextChanges(on.store);
    const { queue } = claimParts(on.db);
    const arrivals = new WorkArrivals(changes, queue, new OwnWrites(), () => undefined);
    const contexts = Array.from({ length: 50 }, (_, at) => `c-${at}`);
    const taken: string[] = [];
    const workers = contexts.map((contextId) => ({
      filter: {
        workspace: 'w',
        audience: 'all',
        agents: ['a'],
        contexts: [contextId],
        workflows: null,
      },
      taker: {
        take: (attempt: WaitingAttempt) => void taken.push(attempt.contextId),
        stop: () => undefined,
      },
    }));
    for (const { filter, taker } of workers) await arrivals.listen(filter, taker);
    const attempt = { runId: 'r', stepId: 's', agent: 'a', version: 1, visit: 1, attempt: 1 };
    const looks: (readonly string[] | null)[] = [];
    const gate = Promise.withResolvers<void>();
    jest.spyOn(queue, 'waiting').mockImplementation(async (filter) => {
      looks.push(filter.contexts);
      await gate.promise;
      return filter.contexts?.includes('c-2') ? [{ ...attempt, contextId: 'c-2' }] : [];
    });
    const end = async () => {
      await queue.limits.inTurn('w', () => Promise.resolve(undefined));
      queue.limits.noteEnd('w');
    };
    for (let ended = 0; ended < 10; ended++) await end();
    expect(looks).toEqual([contexts]);
    gate.resolve();
    await waitFor('the look for all that ended meanwhile', () =>
      looks.slice(1).some((looked) => (looked?.length ?? 0) >= 49),
    );
    expect(looks.slice(0, 5).map((looked) => looked?.length)).toEqual([50, 1, 1, 1, 49]);
    expect(taken).toEqual(['c-2']);
    for (const { filter, taker } of workers) arrivals.forget(filter, taker);
    changes.stop();
    jest.restoreAllMocks();
  });
});

describe('rows that workers of several audiences wait for', () => {
  const on = useTestStore();

  const begin = async (contexts: readonly string[]) => {
    const runs = await TestRuns.publish(on, [{ id: 'a', type: 'agent', agent: 'a' }]);
    for (const contextId of contexts) await runs.start(contextId, 1_000);
    await projectAll(on.db, on.store);
    const changes = new ContextChanges(on.store);
    const { queue } = claimParts(on.db);
    const failures: unknown[] = [];
    const note = (error: unknown) => void failures.push(error);
    const arrivals = new WorkArrivals(changes, queue, new OwnWrites(), note);
    const taken: string[] = [];
    const wait = async (audience: string, contextsOfKey: readonly string[] | null = null) => {
      const filter = { workspace: 'w', audience, agents: ['a'], contexts: contextsOfKey };
      const taker = {
        take: ({ contextId }: WaitingAttempt) => void taken.push(`${audience} ${contextId}`),
        stop: () => undefined,
      };
      await arrivals.listen({ ...filter, workflows: null }, taker);
    };
    return { queue, taken, wait, failures, stop: () => changes.stop() };
  };

  it.each([null, ['one']])(
    'are given first to workers that see everything, even if others have waited longer (contexts of the others: %j)',
    async (contexts) => {
      const { taken, wait, failures, stop } = await begin(['one']);
      await wait('coders', contexts);
      await wait('testers', contexts);
      await wait('all');
      await waitFor('a look', () => taken.length > 0);
      stop();
      expect(taken).toEqual(['all one']);
      expect(failures).toEqual([]);
    },
  );

  it('are not given to an audience to which they were denied, which gets the next ones', async () => {
    const { queue, taken, wait, failures, stop } = await begin(['one', 'two', 'three']);
    const filter = { workspace: 'w', agents: ['a'], contexts: null, workflows: null };
    const [first, second] = await queue.waiting(filter);
    if (!first || !second) throw new Error('nothing waits');
    for (const attempt of [first, second]) queue.denied.deny('w', 'coders', attempt);
    await wait('coders');
    await waitFor('a look', () => taken.length > 0);
    stop();
    expect(taken).toEqual(['coders three']);
    expect(failures).toEqual([]);
  });
});
