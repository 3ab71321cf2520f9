import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Expression, evaluateExpression } from '#expressions';

import { type Operation, type OperationOf } from './transformation.schema.js';
import { enrich } from './enrich.js';
import { OperationError } from './operation.error.js';

/** An operation whose texts have been read. */
export type Ready = Readonly<{
  operation: Operation;
  /** Those of its expressions that it has. */
  expression: Expression | undefined;
}>;

/** Takes the value of each source by name. Throws {@link OperationError} or ExpressionError. */
export function operate({ operation, expression }: Ready, sources: JsonObject): JsonValue {
  switch (operation.kind) {
    case 'score':
      return numberOf(expression, sources);
    case 'select':
      return selected(operation, numberOf(expression, sources));
    case 'propagate':
      return Object.values(sources)[0] ?? null;
    case 'enrich':
      return enrich(operation, sources);
  }
}

function numberOf(expression: Expression | undefined, sources: JsonObject): number {
  const value = expression && evaluateExpression(expression, sources);
  if (typeof value !== 'number')
    throw new OperationError('the expression does not come to a number');
  return value;
}

function selected({ ranges }: OperationOf<'select'>, by: number): JsonValue {
  const range = ranges.find(({ upTo }) => upTo === undefined || by <= upTo);
  if (!range) throw new OperationError(`${by} is above every range`);
  return range.value;
}
