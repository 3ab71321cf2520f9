import { type Tokenizer } from '../tokens/tokenizer.js';

export type ViewBudget = Readonly<{
  maxTokens: number;
  tokenizer: Tokenizer;
  /** How many of the newest step outputs stay whole while they fit. */
  newest: number;
  /** If not even a reference to everything fits: refuse the view, or show as much of its minimum as fits. */
  overflow: 'refuse' | 'minimum';
}>;
