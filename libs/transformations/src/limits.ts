/** What transformations may be and cost, whoever wrote them and whatever data they meet. */
export const transformationLimits = {
  /** Kept in one workspace. */
  transformations: 100,
  sources: 16,
  destinations: 8,
  /** Places that all active transformations of a workspace derive together. */
  places: 256,
  ranges: 64,
  /** UTF-16 units of a whole definition as JSON. */
  definitionLength: 65_536,
  /** Entries that an enrichment finds, counted at every element they are found for. */
  matches: 10_000,
  /**
   * Steps of all transformations that run in one write, each one at least: those of their expressions, entries and
   * elements of enrichments, members of objects that values are put into, values and characters that are derived.
   */
  steps: 100_000,
  /** UTF-16 units of one derived value as JSON. */
  valueLength: 65_536,
} as const;
