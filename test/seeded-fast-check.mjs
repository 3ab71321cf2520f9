import fc from '../node_modules/fast-check/lib/fast-check.js';

/**
 * The module that jest returns for `fast-check`: all properties of a run use one seed, which `npm test` chooses and
 * prints. A property with a stated seed uses that one. Only specs with properties load fast-check, so that this is not
 * a setup file.
 */
const given = process.env['THROUGHLINE_TEST_SEED'];

fc.configureGlobal({ seed: given ? Number(given) : Math.floor(Math.random() * 2 ** 31) });

/** Any code point except surrogates, like `unit: 'binary'`, for which fast-check lists all 1,112,064 in each suite. */
const codePoint = fc
  .oneof(
    { weight: 0xd800, arbitrary: fc.nat({ max: 0xd7ff }) },
    { weight: 0x10_2000, arbitrary: fc.integer({ min: 0xe000, max: 0x10_ffff }) },
  )
  .map(
    (point) => String.fromCodePoint(point),
    (text) => text.codePointAt(0),
  );

export function string(constraints = {}) {
  return fc.string(
    constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints,
  );
}

/**
 * The share of the stated runs of a property. Each commit uses new values, so that each run takes a tenth of them; `npm
 * run test:properties` takes ten times the stated number.
 */
const share = Number(process.env['THROUGHLINE_PROPERTY_RUNS'] ?? 0.1);
const usualRuns = 100;

export function assert(property, parameters = {}) {
  const { numRuns = usualRuns } = parameters;
  return fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * share) });
}

export * from '../node_modules/fast-check/lib/fast-check.js';
export default { ...fc, assert, string };
