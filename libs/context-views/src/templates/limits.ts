/** What templates may be and cost, whoever wrote them and whatever data they meet. */
export const templateLimits = {
  /** UTF-16 units of the source. */
  sourceLength: 262_144,
  /** UTF-16 units between the braces of one tag that is no comment. */
  tagLength: 1_024,
  /** Tags, comments and ends of blocks among them. */
  tags: 5_000,
  /** Blocks within blocks. */
  nesting: 64,
  /**
   * Parts rendered, those of a block once for each time it is gone through; rounds of loops; names and `../` of the paths
   * in what is rendered; characters of a name that {{lookup}} takes for a path.
   */
  steps: 200_000,
  /** UTF-16 units of what is rendered. */
  outputLength: 1_048_576,
  /** Paths that are reported as missing. */
  missing: 100,
} as const;
