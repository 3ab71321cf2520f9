/** What contracts may be and cost, whoever wrote them and whatever data they meet. */
export const contractLimits = {
  /** Registered in one workspace. */
  agents: 200,
  inputs: 64,
  outputs: 64,
  /** Sections or words that one input must hold. */
  demands: 64,
  /** Measures with a threshold, of one output. */
  thresholds: 32,
  /** UTF-16 units of a definition as JSON. */
  definitionLength: 262_144,
  schemaDepth: 16,
  schemaNodes: 1_000,
  /** UTF-16 units of one regular expression. */
  patternLength: 4_096,
  /** Instructions of all regular expressions of a schema: a part that may repeat n times counts n times. */
  patternSize: 10_000,
  /**
   * Steps of one check of all inputs of an agent: parts of values, members and entries that are looked for or compared, and
   * one for every 64 characters of a text that is looked through.
   */
  steps: 5_000_000,
  /** Faults of one value that are reported. */
  faults: 10,
  /** Failures of one check that are reported. */
  findings: 500,
  /** Characters of what is said of one fault: names in it may be of any length. */
  detail: 500,
} as const;

/** The largest limit that may be stated for attempts that run at once. */
export const runningAttemptsLimit = 1_000_000;
