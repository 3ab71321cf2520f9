/** Limits for the definitions and the costs of transformations. */
export const transformationLimits = {
  /** In one workspace. */
  transformations: 100,
  sources: 16,
  destinations: 8,
  /** Destinations of all active transformations of a workspace together. */
  places: 256,
  ranges: 64,
  /** UTF-16 code units of a definition as JSON. */
  definitionLength: 65_536,
  /** Matches in an enrichment, counted for every element. */
  matches: 10_000,
  /**
   * Steps of all transformations in one write, at least one each: steps of expressions, entries and elements of
   * enrichments, members of objects into which values are merged, and derived values and characters.
   */
  steps: 100_000,
  /** UTF-16 code units of one derived value as JSON. */
  valueLength: 65_536,
} as const;
