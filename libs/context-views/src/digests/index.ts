export { digestOf } from './digest.js';
export { type FactKind, type Facts, factsOf } from './facts.js';
export { lineOf } from './line.js';
export { type Mentions, mentionsIn, unmentionedIn } from './mentions.js';
export { rollupOf } from './rollup.js';
export { type Tally, type TallyInput, mergeTallies, tallyOf } from './tally.js';
