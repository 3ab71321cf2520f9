import { type EventStore, OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, failure, ids } from './stored-events.js';

export function deadlines(site: ContractSite): void {
  describe('signals and deadlines', () => {
    const calls: [
      string,
      (target: EventStore, options: object, stream: string) => Promise<unknown>,
    ][] = [
      [
        'append',
        (target, options, stream) => target.append(stream, newEvents(1), 'no-stream', options),
      ],
      ['readStream', (target, options, stream) => target.readStream(stream, { limit: 1 }, options)],
      ['readAll', (target, options) => target.readAll({ after: 'start', limit: 1 }, options)],
      ['head', (target, options) => target.head(options)],
      ['identity', (target, options) => target.identity(options)],
    ];

    test.each(calls)('%s with an aborted signal throws its reason', async (_, call) => {
      const stream = newStream();
      const reason = new Error('no longer wanted');
      const signal = AbortSignal.abort(reason);
      expect(await failure(call(site.store, { signal }, stream))).toBe(reason);
      expect(await site.stored(stream)).toEqual([]);
    });

    test.each(calls)(
      '%s answers within a signal and a deadline that do not come',
      async (_, call) => {
        const { signal } = new AbortController();
        await expect(
          call(site.store, { signal, timeoutMs: 30_000 }, newStream()),
        ).resolves.toBeDefined();
      },
    );

    if (site.flags.answersAtOnce) {
      test.each(calls)('%s returns at once regardless of the deadline', async (_, call) => {
        await expect(call(site.store, { timeoutMs: 1 }, newStream())).resolves.toBeDefined();
      });
    }

    if (!site.flags.canFreeze) return;

    test.each(calls)(
      '%s of a store that does not answer ends at its deadline',
      async (call, run) => {
        const thaw = await site.fixture.freeze();
        try {
          const error = await failure(run(site.store, { timeoutMs: 100 }, newStream()));
          expect(error).toBeInstanceOf(
            call === 'append' ? OutcomeUnknownError : StoreUnavailableError,
          );
        } finally {
          await thaw();
        }
      },
    );

    test.each(calls)('%s on a store that does not respond ends on its signal', async (_, run) => {
      const thaw = await site.fixture.freeze();
      try {
        const controller = new AbortController();
        const reason = new Error('no longer wanted');
        const running = failure(run(site.store, { signal: controller.signal }, newStream()));
        controller.abort(reason);
        expect(await running).toBe(reason);
      } finally {
        await thaw();
      }
    });

    test('an append without a known outcome is repeated to determine it', async () => {
      const stream = newStream();
      const batch = newEvents(2);
      const thaw = await site.fixture.freeze();
      const unknown = await failure(
        site.store.append(stream, batch, 'no-stream', { timeoutMs: 100 }),
      );
      await thaw();
      expect(unknown).toBeInstanceOf(OutcomeUnknownError);
      expect((await site.store.append(stream, batch, 'no-stream')).version).toBe(2);
      expect(ids(await site.stored(stream))).toEqual(ids(batch));
    });
  });
}
