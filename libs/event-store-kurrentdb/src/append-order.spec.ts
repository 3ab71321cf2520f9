import { AppendOrder } from './append-order.js';

describe('the order of appends', () => {
  it('lets one of a stream begin when the one before has ended, however it ended', async () => {
    const order = new AppendOrder();
    const said: string[] = [];
    const first = Promise.withResolvers<void>();
    const calls = [
      order.inTurn('a', async () => {
        said.push('first begins');
        await first.promise;
      }),
      order.inTurn('a', async () => void said.push('second begins')),
      order.inTurn('b', async () => void said.push('another stream begins')),
    ];
    await calls[2];
    expect(said).toEqual(['first begins', 'another stream begins']);
    first.reject(new Error('refused'));
    await expect(calls[0]).rejects.toThrow('refused');
    await calls[1];
    expect(said.at(-1)).toBe('second begins');
  });

  it('is drained when nothing is on its way', async () => {
    const order = new AppendOrder();
    let ended = 0;
    for (const stream of ['a', 'a', 'b']) void order.inTurn(stream, async () => void ended++);
    await order.drained();
    expect(ended).toBe(3);
  });
});
