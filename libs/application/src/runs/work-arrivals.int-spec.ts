import { jest } from '@jest/globals';

import { listenToStatements, projectAll, useTestStore, waitFor } from '#testing';

import { ContextChanges } from '../long-polls/context-changes.js';
import { OwnWrites } from '../writing/own-writes.js';
import { TestRuns, claimParts } from './runs.fixture.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WorkArrivals } from './work-arrivals.js';

describe('waiting workers', () => {
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
    // The list also receives the statements that are sent after the callback returns.
    const sent = await listenToStatements(on.pool).withValues(async () => {
      forgets.push(await listen('crowded', 1_500), await listen('quiet', 1));
    });
    const readsIn = (workspace: string) =>
      sent.filter(
        ({ text, values }) => text.includes('throughline.open_work') && values.includes(workspace),
      ).length;
    await waitFor('two reads for one worker', () => readsIn('quiet') >= 2);
    for (const forget of forgets) forget();
    changes.stop();
    // Reads of a workspace are at least half a second apart.
    expect(readsIn('crowded')).toBeGreaterThan(0);
    expect(readsIn('crowded')).toBeLessThan(20);
    expect(failures).toEqual([]);
  });

  it('share one read at a time when attempts end, and are served until the room is used up', async () => {
    // Delays polls, so that only ends of attempts cause reads.
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
    const reads: (readonly string[] | null)[] = [];
    const gate = Promise.withResolvers<void>();
    jest.spyOn(queue, 'waiting').mockImplementation(async (filter) => {
      reads.push(filter.contexts);
      await gate.promise;
      return filter.contexts?.includes('c-2') ? [{ ...attempt, contextId: 'c-2' }] : [];
    });
    const end = async () => {
      await queue.limits.runInTurn('w', () => Promise.resolve(undefined));
      queue.limits.noteEnd('w');
    };
    for (let ended = 0; ended < 10; ended++) await end();
    expect(reads).toEqual([contexts]);
    gate.resolve();
    await waitFor('the shared read for all ends meanwhile', () =>
      reads.slice(1).some((read) => (read?.length ?? 0) >= 49),
    );
    expect(reads.slice(0, 5).map((read) => read?.length)).toEqual([50, 1, 1, 1, 49]);
    expect(taken).toEqual(['c-2']);
    for (const { filter, taker } of workers) arrivals.forget(filter, taker);
    changes.stop();
    jest.restoreAllMocks();
  });
});

describe('attempts that workers of several audiences wait for', () => {
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
    'are passed first to workers that see everything, even if others have waited longer (contexts of the others: %j)',
    async (contexts) => {
      const { taken, wait, failures, stop } = await begin(['one']);
      await wait('coders', contexts);
      await wait('testers', contexts);
      await wait('all');
      await waitFor('an attempt', () => taken.length > 0);
      stop();
      expect(taken).toEqual(['all one']);
      expect(failures).toEqual([]);
    },
  );

  it('are not passed to an audience to which they were denied, which gets the next ones', async () => {
    const { queue, taken, wait, failures, stop } = await begin(['one', 'two', 'three']);
    const filter = { workspace: 'w', agents: ['a'], contexts: null, workflows: null };
    const [first, second] = await queue.waiting(filter);
    if (!first || !second) throw new Error('nothing waits');
    for (const attempt of [first, second]) queue.denied.deny('w', 'coders', attempt);
    await wait('coders');
    await waitFor('an attempt', () => taken.length > 0);
    stop();
    expect(taken).toEqual(['coders three']);
    expect(failures).toEqual([]);
  });
});
