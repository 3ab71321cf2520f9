import { SmallCache } from './small-cache.js';

describe('a cache of recently used values', () => {
  it('computes a value once while it is used, and again after others have displaced it', () => {
    const made: string[] = [];
    const cache = new SmallCache<string>(2);
    const find = (name: string) =>
      cache.find(name, () => {
        made.push(name);
        return name.toUpperCase();
      });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(find)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });
});
