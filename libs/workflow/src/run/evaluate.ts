import { type JsonValue } from '#event-sourcing';
import { type Expression, ExpressionError, evaluateExpression } from '#expressions';

import { type RunDraft } from './run-draft.js';
import { scopeOf } from './scope.js';

export type Evaluated = Readonly<{ value: JsonValue | undefined }> | Readonly<{ fault: string }>;

/** The value of an expression of a definition, as the step that it belongs to reads the run; as nobody in particular without. */
export function evaluate(
  expression: Expression,
  draft: RunDraft,
  stepId: string | undefined,
): Evaluated {
  try {
    return { value: evaluateExpression(expression, scopeOf(draft, stepId, expression)) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { fault: error.message };
  }
}
