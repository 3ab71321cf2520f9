/** What an expression may cost, whoever wrote it and whatever data it meets. */
export const limits = {
  /** UTF-16 units of the source. */
  sourceLength: 4_096,
  nodes: 500,
  depth: 50,
  /** Nodes evaluated, those of list functions once for each element; see steps.ts for what takes more than one. */
  steps: 50_000,
  /** UTF-16 units of any text made on the way. */
  textLength: 65_536,
  /** UTF-16 units of the result as JSON. */
  resultLength: 65_536,
} as const;
