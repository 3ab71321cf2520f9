export { type Steps, runAtOnce, runInSlices } from './slices.js';
