/** Limits for the size and the costs of an expression. */
export const limits = {
  /** UTF-16 code units of the source. */
  sourceLength: 4_096,
  nodes: 500,
  depth: 50,
  /** Evaluated nodes, in list functions once per element; steps.ts lists operations that take more than one step. */
  steps: 50_000,
  /** UTF-16 code units of any intermediate text. */
  textLength: 65_536,
  /** UTF-16 code units of the result as JSON. */
  resultLength: 65_536,
} as const;
