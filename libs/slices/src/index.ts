export { Slice, type Steps, runAtOnce, runInSlices } from './slices.js';
