/** Limits of the size and the cost of templates, for any author and any data. */
export const templateLimits = {
  /** UTF-16 units of the source. */
  sourceLength: 262_144,
  /** UTF-16 units between the braces of one tag that is not a comment. */
  tagLength: 1_024,
  /** Tags, including comments and ends of blocks. */
  tags: 5_000,
  /** Nested blocks. */
  nesting: 64,
  /**
   * Rendered parts, those of a block once for each round of a loop; rounds of loops; names and `../` of the paths in
   * rendered parts; characters of a name that {{lookup}} reads as a path.
   */
  steps: 200_000,
  /** UTF-16 units of the rendered text. */
  outputLength: 1_048_576,
  /** Paths that are reported as missing. */
  missing: 100,
} as const;
