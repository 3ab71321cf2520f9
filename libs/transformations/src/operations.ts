import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Expression, evaluateExpression } from '#expressions';

import { enrich } from './enrich.js';
import { OperationError } from './operation.error.js';
import { type StepBudget } from './step-budget.js';
import { type Operation, type OperationOf } from './transformation.schema.js';

/** An operation whose texts have been read. */
export type Ready = Readonly<{
  operation: Operation;
  /** Those of its expressions that it has. */
  expression: Expression | undefined;
}>;

/** Takes the value of each source by name. Throws {@link OperationError}, ExpressionError or StepsExceededError. */
export function operate(
  { operation, expression }: Ready,
  sources: JsonObject,
  budget: StepBudget,
): JsonValue {
  const number = () => numberOf(expression, sources, budget);
  switch (operation.kind) {
    case 'score':
      return number();
    case 'select':
      return selected(operation, number());
    case 'propagate':
      return Object.values(sources)[0] ?? null;
    case 'enrich':
      return enrich(operation, sources, budget);
  }
}

function numberOf(
  expression: Expression | undefined,
  sources: JsonObject,
  budget: StepBudget,
): number {
  const value = expression && evaluateExpression(expression, sources, budget.spend);
  if (typeof value !== 'number')
    throw new OperationError('the expression does not come to a number');
  return value;
}

function selected({ ranges }: OperationOf<'select'>, by: number): JsonValue {
  const range = ranges.find(({ upTo }) => upTo === undefined || by <= upTo);
  if (!range) throw new OperationError(`${by} is above every range`);
  return range.value;
}
