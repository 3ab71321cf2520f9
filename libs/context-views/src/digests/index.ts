export { digestIn, digestOf } from './digest.js';
export { type FactKind, type Facts, factsIn, factsOf } from './facts.js';
export { lineIn, lineOf } from './line.js';
export { UnmentionedFacts } from './mentions.js';
export { Reading } from './read-value.js';
export { foundInTally, rollupOf } from './rollup.js';
export { clip, firstSentence } from './shown.js';
export { type Tally, type TallyInput, mergeTallies, tallyOf } from './tally.js';
