import { type Tokenizer } from '../tokens/tokenizer.js';

export type ViewBudget = Readonly<{
  maxTokens: number;
  tokenizer: Tokenizer;
  /** How many of the newest step outputs stay whole while they fit. */
  newest: number;
  /** What is done if not even a reference to everything fits: nothing, or what of it does. */
  overflow: 'refuse' | 'minimum';
}>;
