import { execFileSync } from 'node:child_process';

import fc from 'fast-check';
import { z } from 'zod';

import { chooseSeed } from '../reliability/harness/size.js';
import { root } from './project-files.js';

const program = `
  import fc from './test/seeded-fast-check.mjs';
  const drawn = (parameters) => fc.sample(fc.integer(), { numRuns: 5, ...parameters });
  const { seed } = fc.check(fc.property(fc.integer(), () => false));
  console.log(JSON.stringify({ inherited: drawn(), stated: drawn({ seed: 1 }), failedWith: seed }));
`;

const draws = z.object({
  inherited: z.array(z.number()),
  stated: z.array(z.number()),
  failedWith: z.number(),
});

describe('the seed of a run', () => {
  it('determines the values of properties', () => {
    expect(draw('7')).toEqual(draw('7'));
    expect(draw('7').inherited).not.toEqual(draw('8').inherited);
  });

  it('differs from run to run if none is specified', () => {
    expect(draw('').inherited).not.toEqual(draw('').inherited);
  });

  it('does not affect properties with a seed', () => {
    expect(draw('7').stated).toEqual(draw('8').stated);
  });

  it('is reported by a failing property', () => {
    expect(draw('7').failedWith).toBe(7);
  });

  it('applies to each suite that imports fast-check', () => {
    const given = process.env['THROUGHLINE_TEST_SEED'];
    expect(fc.readConfigureGlobal().seed).toEqual(given ? Number(given) : expect.any(Number));
  });

  it('is that of the reliability scenarios, unless these have a seed', () => {
    const env = { THROUGHLINE_TEST_SEED: '7', THROUGHLINE_RELIABILITY_SEED: '' };
    expect(chooseSeed(env)).toBe(7);
    expect(chooseSeed({ ...env, THROUGHLINE_RELIABILITY_SEED: '9' })).toBe(9);
    expect(chooseSeed({})).not.toBe(chooseSeed({}));
  });
});

function draw(seed: string): z.infer<typeof draws> {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, THROUGHLINE_TEST_SEED: seed },
  });
  return draws.parse(JSON.parse(output));
}
