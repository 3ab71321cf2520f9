import { readFileSync } from 'node:fs';

import { transformationLimits } from './limits.js';

const page = readFileSync(
  new URL('../../../docs/transformations-reference.md', import.meta.url),
  'utf8',
);
const bytesOfWrite = '262,144';

describe('the reference of transformations', () => {
  it('states every limit', () => {
    const stated = [...page.matchAll(/^\|.*\| ([\d,]+) \|$/gm)].map(([, number]) => number);
    const limits = Object.values(transformationLimits).map((limit) =>
      limit.toLocaleString('en-US'),
    );
    expect(stated.toSorted()).toEqual([...limits, bytesOfWrite].toSorted());
  });
});
