import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Expression, describeValue, evaluateExpression } from '#expressions';

import { enrich } from './enrich.js';
import { OperationError } from './operation.error.js';
import { type StepBudget } from './step-budget.js';
import { type Operation, type OperationOf } from './transformation.schema.js';

/** An operation with its compiled expression. */
export type CompiledOperation = Readonly<{
  operation: Operation;
  /** The compiled expression of the operation, if it has one. */
  expression: Expression | undefined;
}>;

/**
 * `sources`: the values of the sources, by name. Throws {@link OperationError}, ExpressionError or StepsExceededError.
 */
export function operate(
  { operation, expression }: CompiledOperation,
  sources: JsonObject,
  budget: StepBudget,
): JsonValue {
  const value = () => expression && evaluateExpression(expression, sources, budget.spend);
  switch (operation.kind) {
    case 'score':
      return numberIn(value(), 'use the operation compute for other values');
    case 'compute':
      return requireDefined(value());
    case 'select':
      return operation.cases ? caseOf(operation, value()) : rangeOf(operation, value());
    case 'propagate':
      return Object.values(sources)[0] ?? null;
    case 'enrich':
      return enrich({ operation, match: expression }, sources, budget);
  }
}

function numberIn(value: JsonValue | undefined, advice: string): number {
  if (typeof value === 'number') return value;
  throw new OperationError(`the expression is ${describeValue(value)}, not a number: ${advice}`);
}

function requireDefined(value: JsonValue | undefined): JsonValue {
  if (value !== undefined) return value;
  throw new OperationError('the expression is undefined: write ?? null if there may be nothing');
}

function rangeOf({ ranges = [] }: OperationOf<'select'>, value: JsonValue | undefined): JsonValue {
  const by = numberIn(value, 'select by cases instead of ranges');
  const range = ranges.find(({ upTo }) => upTo === undefined || by <= upTo);
  if (!range) throw new OperationError(`${by} is above every range`);
  return range.value;
}

function caseOf(
  { cases = [], otherwise }: OperationOf<'select'>,
  by: JsonValue | undefined,
): JsonValue {
  const found = cases.find(({ is }) => is === by);
  if (found) return found.value;
  if (otherwise !== undefined) return otherwise;
  const shown = typeof by === 'object' ? undefined : JSON.stringify(by);
  throw new OperationError(`no case is ${shown ?? describeValue(by)}, and there is no otherwise`);
}
