export { type Tokenizer, type TokenizerName, tokenizerNames, tokenizerOf } from './tokenizer.js';
