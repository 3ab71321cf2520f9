import { createSecretKey } from 'node:crypto';

import { ContextReader } from '#read-models';
import { type ContextCommand } from '#shared-context';
import { listenToStatements, projectAll, useTestStore } from '#testing';

import { rootPrincipal } from '../authentication/authentication.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { CommandProcessor } from '../writing/command-processor.js';
import { prepareWrite } from '../writing/prepared-write.js';
import {
  IsLargeContextHandler,
  IsLargeContextQuery,
  WriteGrowth,
} from './is-large-context.handler.js';

const principal = rootPrincipal('default');
const key = createSecretKey(Buffer.alloc(32));
const create: ContextCommand = { type: 'CreateContext', data: {} };

function names(count: number, prefix = 'name'): ContextCommand {
  const values = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}-${n}`, n]));
  return { type: 'SetPreferences', data: { values } };
}

describe('the check for large contexts', () => {
  const on = useTestStore();

  /** The parts of a server that write and query. */
  const start = () => {
    const reader = new ContextReader(on.db, on.store);
    const growth = new WriteGrowth();
    const events = { stored: growth.note.bind(growth) };
    const options = { appendTimeoutMs: 10_000, now: () => Date.UTC(2026, 0, 1), events };
    const writer = new CommandProcessor(on.store, reader, new TransformationStore(on.db), options);
    const sizes = new IsLargeContextHandler(reader, on.db, growth);
    const sent = listenToStatements(on.pool);
    return {
      write: (...commands: readonly ContextCommand[]) =>
        writer.submit(prepareWrite({ principal, contextId: 'c', commands }, key)),
      /** The answer, and the number of statements. */
      ask: async (members?: readonly string[]) => {
        let isLarge: boolean | undefined;
        const { length } = await sent.during(async () => {
          isLarge = await sizes.execute(new IsLargeContextQuery(principal, 'c', members));
        });
        return [isLarge, length];
      },
    };
  };

  it('takes one statement in several seconds for a small context with small writes', async () => {
    const { write, ask } = start();
    await write(create, names(10));
    await projectAll(on.db, on.store);
    expect(await ask()).toEqual([false, 1]);
    expect(await ask()).toEqual([false, 0]);
    await write(names(10, 'other'));
    expect(await ask()).toEqual([false, 0]);
    await projectAll(on.db, on.store);
    expect(await ask()).toEqual([false, 0]);
  });

  it.each([2_500, 50_000])(
    'counts a write of %i names immediately, although the rows lack them',
    async (count) => {
      const { write, ask } = start();
      await write(create);
      await projectAll(on.db, on.store);
      expect(await ask()).toEqual([false, 1]);
      await write(names(count));
      expect(await ask()).toEqual([true, 1]);
      expect(await ask()).toEqual([true, 0]);
      // The size of its members is not known yet.
      expect(await ask(['globalContext'])).toEqual([true, 0]);
    },
  );

  it.each([
    [700, false],
    [1_200, true],
  ])('adds written items to those in the rows: %i names', async (count, isLarge) => {
    const { write, ask } = start();
    await write(create, names(1_000, 'the-first-thousand-names'));
    await projectAll(on.db, on.store);
    expect(await ask()).toEqual([false, 2]);
    await write(names(count, 'other-names-of-that-length'));
    expect(await ask()).toEqual([isLarge, 2]);
    await projectAll(on.db, on.store);
    expect(await ask()).toEqual([isLarge, 0]);
  });

  it('is repeated for a context that has grown, until it is large', async () => {
    const { write, ask } = start();
    await write(create);
    expect(await ask()).toEqual([false, 1]);
    await write(names(1_400));
    expect(await ask()).toEqual([false, 2]);
    expect(await ask()).toEqual([false, 0]);
  });
});
