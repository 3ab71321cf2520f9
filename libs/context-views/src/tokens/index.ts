export { countOnce } from './count-once.js';
export { type Tokenizer, type TokenizerName, tokenizerNames, tokenizerOf } from './tokenizer.js';
