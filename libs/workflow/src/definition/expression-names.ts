/** What an expression of a definition may read. */
export const expressionRoots = [
  /** What the run was started with. */
  'input',
  /** Results by step id and by `output`, and the members of `initial_context`. */
  'context',
  /** `results.<step>`: `{ stepId, success, status, data, error, attempts, visits, startTime, endTime, duration }`. */
  'results',
  /** The step that the expression belongs to: `{ id, name, type, parameters, visit }`. */
  'step',
  /** `{ currentStep, previousSteps, iterationCount, errorCount }`. */
  'metadata',
  /** Values that transformations of the workspace derive. */
  'derived',
] as const;

export type ExpressionRoot = (typeof expressionRoots)[number];

/** `context.<step>.<field>` is the outcome of the step if its result has no such member itself. */
export const outcomeFields: ReadonlySet<string> = new Set([
  ...['success', 'status', 'error', 'attempts', 'data'],
]);
