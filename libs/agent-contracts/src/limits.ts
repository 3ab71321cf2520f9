/** Limits for the definitions and the costs of contracts. */
export const contractLimits = {
  /** In one workspace. */
  agents: 200,
  inputs: 64,
  outputs: 64,
  /** Required sections or words of one input. */
  demands: 64,
  /** Thresholds of one output. */
  thresholds: 32,
  /** UTF-16 code units of a definition as JSON. */
  definitionLength: 262_144,
  schemaDepth: 16,
  schemaNodes: 1_000,
  /** UTF-16 code units of one regular expression. */
  patternLength: 4_096,
  /** Instructions of all regular expressions of a schema; a part that may repeat n times counts n times. */
  patternSize: 10_000,
  /**
   * Steps of one check of all inputs of an agent: visited parts, members and entries of values, and one for every 64
   * characters of a searched text.
   */
  steps: 5_000_000,
  /** Faults of one value that are reported. */
  faults: 10,
  /** Failures of one check that are reported. */
  findings: 500,
  /** Characters of the detail of one fault, which may quote long names. */
  detail: 500,
} as const;

/** The maximum value for the limit of concurrent attempts. */
export const runningAttemptsLimit = 1_000_000;
