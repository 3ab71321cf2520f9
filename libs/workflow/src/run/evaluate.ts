import { type JsonValue } from '#event-sourcing';
import { type Expression, ExpressionError, evaluateExpression } from '#expressions';

import { type RunDraft } from './run-draft.js';
import { scopeOf } from './scope.js';

type Evaluation = Readonly<{ value: JsonValue | undefined }> | Readonly<{ fault: string }>;

/** Evaluates an expression for its step, or without a step at the end of the run. */
export function evaluate(
  expression: Expression,
  draft: RunDraft,
  stepId: string | undefined,
): Evaluation {
  try {
    return { value: evaluateExpression(expression, scopeOf(draft, stepId, expression)) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { fault: error.message };
  }
}
