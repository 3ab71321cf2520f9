import { AppendOrder } from './append-order.js';

describe('AppendOrder', () => {
  it('starts an append to a stream after the one before has ended, even with an error', async () => {
    const order = new AppendOrder();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const calls = [
      order.inTurn('a', async () => {
        log.push('first begins');
        await first.promise;
      }),
      order.inTurn('a', async () => void log.push('second begins')),
      order.inTurn('b', async () => void log.push('another stream begins')),
    ];
    await calls[2];
    expect(log).toEqual(['first begins', 'another stream begins']);
    first.reject(new Error('refused'));
    await expect(calls[0]).rejects.toThrow('refused');
    await calls[1];
    expect(log.at(-1)).toBe('second begins');
  });

  it('is drained when no append is in flight', async () => {
    const order = new AppendOrder();
    let ended = 0;
    for (const stream of ['a', 'a', 'b']) void order.inTurn(stream, async () => void ended++);
    await order.drained();
    expect(ended).toBe(3);
  });
});
