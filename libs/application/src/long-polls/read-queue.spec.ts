import { PollGroup } from './poll-group.js';
import { ReadQueue } from './read-queue.js';

function newGroup(name: string): PollGroup {
  return new PollGroup({
    name,
    of: { workspace: 'w' },
    awaited: { types: 'any' as const },
    read: async () => undefined,
    hasAnswer: () => false,
  });
}

/** A queue whose reads the test resolves. */
function openQueue() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new ReadQueue((group) => {
    const { name } = group.question;
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return promise;
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    // The next read begins after the promise of this one resolves.
    await Promise.resolve();
    await Promise.resolve();
  };
  return { queue, started, end };
}

describe('the read queue', () => {
  it('runs a few reads at a time, in the order in which groups were added', async () => {
    const { queue, started, end } = openQueue();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) queue.add(newGroup(name));
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    await end('c');
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
    await end('a');
    expect(started.at(-1)).toBe('f');
  });

  it('runs one more read for a group that is added several times during its read', async () => {
    const { queue, started, end } = openQueue();
    const group = newGroup('a');
    queue.add(group);
    for (let times = 0; times < 5; times++) queue.add(group);
    expect(started).toEqual(['a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
  });

  it('runs no read for a deleted group', async () => {
    const { queue, started, end } = openQueue();
    const group = newGroup('a');
    queue.add(group);
    queue.add(group);
    queue.delete(group);
    await end('a');
    expect(started).toEqual(['a']);
  });
});
