import fc from 'fast-check';

import { PathIndex } from './path-index.js';
import { overlap } from './place.js';

const path = fc.array(fc.constantFrom('a', 'b', '__proto__'), { maxLength: 4 });

describe('an index of paths', () => {
  it('finds the entries at a path, within it and around it, in insertion order', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), path, (paths, asked) => {
        const index = new PathIndex(paths.map((names, at) => [names, at]));
        const expected = paths.flatMap((names, at) => (overlap(names, asked) ? [at] : []));
        expect(index.overlapping(asked)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
