import { PollGroup } from './poll-group.js';
import { ReadQueue } from './read-queue.js';

function newGroup(name: string): PollGroup {
  return new PollGroup({
    name,
    of: { workspace: 'w' },
    awaited: { types: 'any' as const },
    read: async () => undefined,
    isThere: () => false,
  });
}

/** A queue whose reads end when the test says so. */
function openQueue() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new ReadQueue((group) => {
    const { name } = group.question;
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return promise;
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    // The next read begins behind the promise of this one.
    await Promise.resolve();
    await Promise.resolve();
  };
  return { queue, begun, end };
}

describe('reads for groups', () => {
  it('run a few at a time, in the order in which groups asked', async () => {
    const { queue, begun, end } = openQueue();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) queue.add(newGroup(name));
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    await end('a');
    expect(begun.at(-1)).toBe('f');
  });

  it('run once however often a group asks before, and once more if it asks meanwhile', async () => {
    const { queue, begun, end } = openQueue();
    const group = newGroup('a');
    queue.add(group);
    for (let times = 0; times < 5; times++) queue.add(group);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'a']);
    await end('a');
    expect(begun).toEqual(['a', 'a']);
  });

  it('do not run for a group that has gone', async () => {
    const { queue, begun, end } = openQueue();
    const group = newGroup('a');
    queue.add(group);
    queue.add(group);
    queue.delete(group);
    await end('a');
    expect(begun).toEqual(['a']);
  });
});
