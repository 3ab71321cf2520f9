/**
 * The names that expressions may read. A list has all members of a root; the members of other roots depend on the run,
 * the workspace and the definition.
 */
export const expressionRoots = {
  /** The input of the run. */
  input: 'any',
  /** Results by step id and by `output`, and the members of `initial_context`. */
  context: 'any',
  /** Outcomes by step id. */
  results: 'any',
  /** The step that the expression belongs to. */
  step: ['id', 'name', 'type', 'parameters', 'visit'],
  metadata: ['currentStep', 'previousSteps', 'iterationCount', 'errorCount'],
  /** Values that transformations of the workspace derive. */
  derived: 'any',
} as const;

/** Members of `results.<step>`. */
export const resultFields = [
  ...(['stepId', 'success', 'status', 'data', 'error', 'attempts', 'visit'] as const),
  ...(['startTime', 'endTime', 'duration'] as const),
];

/** `context.<step>.<field>` falls back to the outcome of the step if its result has no such member. */
export const outcomeFields: ReadonlySet<string> = new Set([
  'success',
  'status',
  'error',
  'attempts',
  'data',
]);
