import fc from 'fast-check';

import { refOf } from '#context-views';
import { ContextReader } from '#read-models';
import { openItems, openKinds } from '#shared-context';
import {
  contextCommands,
  contextFrom,
  did,
  listenToStatements,
  projectAll,
  useTestStore,
} from '#testing';
import { FilteredReader } from '#visibility';

import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { ActivityReader } from '../reading/activity-reader.js';
import { RunCancellation } from '../runs/run-cancellation.js';
import { StoreClock } from '../runs/store-clock.js';
import { CloseContextCommand } from './close-context.command.js';
import { CloseContextHandler } from './close-context.handler.js';
import { WriteService } from '../writing/write.service.js';
import { StillOpenReader, maxOpenListed } from './still-open-reader.js';

const principal = rootPrincipal('default');

class FailingReader extends FilteredReader {
  override read(): never {
    throw new Error('the database is gone');
  }
}

describe('closing a context', () => {
  const test = useTestStore();

  const failures: string[] = [];
  const failed = (error: unknown, what: string) => void failures.push(`${what}: ${error}`);

  /** Runs the handler with a write service that has stored the closing as `version`. */
  const close = (contextId: string, version: number, Reader = FilteredReader) => {
    const write = { contextId, version, events: [] };
    const writes: WriteService = Object.assign(Object.create(WriteService.prototype), {
      write: () => Promise.resolve(write),
    });
    const filteredReader = new Reader(new ContextReader(test.db, test.store), test.store, test.db);
    const audiences = new Audiences(new PolicyStore(test.db));
    const activities = new ActivityReader(filteredReader, test.db);
    const stillOpen = new StillOpenReader(audiences, filteredReader, activities);
    const contexts = new AuthorizedContextReader(
      new ContextReader(test.db, test.store),
      filteredReader,
      audiences,
    );
    const cancellation = new RunCancellation(contexts, new StoreClock(test.db));
    return new CloseContextHandler(writes, stillOpen, cancellation, failed).execute(
      new CloseContextCommand({ principal, contextId, data: {} }),
    );
  };

  const grow = async (contextId: string, steps: number) => {
    const outputs = Array.from({ length: steps }, (_, n) =>
      did('StepOutputAdded', { stepId: `s-${n}`, output: n }),
    );
    const blocker = { blockerId: 'B', description: 'd' };
    await test.history.append(contextId, did('ContextCreated', {}), ...outputs);
    await test.history.append(contextId, did('BlockerRaised', blocker));
    await projectAll(test.db, test.store);
    await test.history.append(contextId, did('StepStarted', { stepId: 'last' }));
    await test.history.append(contextId, did('ContextClosed', {}));
    return steps + 4;
  };

  it('returns open work, including events that the rows lack, and no completed work', async () => {
    const version = await grow('mixed', 3);
    expect((await close('mixed', version)).stillOpen).toEqual({
      open: [
        { kind: 'step', ref: 'step:last' },
        { kind: 'blocker', ref: 'blocker:B' },
      ],
    });
    expect((await close('mixed', version - 2)).stillOpen).toEqual({
      open: [{ kind: 'blocker', ref: 'blocker:B' }],
    });
  });

  it('returns every open item of any history at any version', async () => {
    const reader = new ContextReader(test.db, test.store);
    const kindsSeen = new Set<string>();
    const histories = fc.sample(contextCommands, { numRuns: 12, seed: 20261123 });
    for (const [n, commands] of histories.entries()) {
      const contextId = `history-${n}`;
      const events = [
        did('ContextCreated', {}),
        did('BlockerRaised', { blockerId: 'B', description: 'd' }),
        did('HandoverNoted', { handoverId: 'H', to: 'somebody', note: 'n' }),
        did('PhaseStarted', { phase: 'of nobody' }),
        did('CircuitBreakerTripped', { subject: 'loop', current: 3, max: 3 }),
        ...contextFrom(commands).events.slice(1),
      ];
      await test.history.append(contextId, ...events);
      if (n % 3 > 0) await projectAll(test.db, test.store);
      for (const version of [events.length, Math.ceil(events.length / 2)]) {
        const { state } = await reader.readAt({ workspace: 'default', contextId }, version, {
          kinds: openKinds,
        });
        const open = openItems(state.values());
        for (const { kind } of open) kindsSeen.add(kind);
        const { stillOpen } = await close(contextId, version);
        expect(stillOpen.open).toEqual(
          open.slice(0, maxOpenListed).map((item) => ({ kind: item.kind, ref: refOf(item) })),
        );
      }
    }
    expect([...kindsSeen].sort()).toEqual([...openKinds].sort());
  });

  it('costs the same with 10 and 1,000 completed steps in the context', async () => {
    const costs = [];
    for (const [contextId, steps] of [
      ['small', 10],
      ['large', 1_000],
    ] as const) {
      const version = await grow(contextId, steps);
      const sent = listenToStatements(test.pool);
      costs.push(await sent.costs(() => close(contextId, version)));
    }
    const [{ statements, rows } = {}, large] = costs;
    expect(large).toMatchObject({ statements, rows });
  });

  it('acknowledges a stored closing even if the open work cannot be read', async () => {
    const version = await grow('unread', 1);
    const { write, stillOpen } = await close('unread', version, FailingReader);
    expect(write).toMatchObject({ contextId: 'unread', version });
    expect(stillOpen).toEqual({ open: null });
    expect(failures).toEqual([
      'the open work of unread could not be read after it was closed: Error: the database is gone',
    ]);
  });
});
