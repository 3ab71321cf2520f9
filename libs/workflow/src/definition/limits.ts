/** Limits of every definition. */
export const workflowLimits = {
  /** Published definitions in one workspace. */
  definitions: 1_000,
  /** UTF-16 units of a definition as JSON, and of its authored text. */
  definitionLength: 524_288,
  /** Levels of lists and objects. */
  depth: 64,
  /** Steps, including steps within parallel steps. */
  steps: 1_000,
  /** Levels of parallel steps within parallel steps. */
  nesting: 8,
  /** UTF-16 units of a step id, and of a name that refers to one. */
  idLength: 128,
  /** Names in `input`, in `retry.non_retryable` and in `visible_to`. */
  names: 64,
  /** UTF-16 units of `message`, `description` and `name`. */
  textLength: 4_096,
  /** Highest number of visits, iterations, attempts and errors. */
  count: 50_000,
  attempts: 100,
  /** A year, in milliseconds. */
  duration: 31_536_000_000,
} as const;
