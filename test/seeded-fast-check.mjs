import fc from '../node_modules/fast-check/lib/fast-check.js';

/**
 * What jest gives to whoever imports `fast-check`: all properties of a run draw from one seed, which `npm test` chooses and
 * prints. A property that states a seed keeps its own. Only specs with properties load fast-check, so this is no setup file.
 */
const given = process.env['THROUGHLINE_TEST_SEED'];

fc.configureGlobal({ seed: given ? Number(given) : Math.floor(Math.random() * 2 ** 31) });

export * from '../node_modules/fast-check/lib/fast-check.js';
export default fc;
