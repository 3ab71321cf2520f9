import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type CompileOptions } from './compile-options.js';
import { Evaluator, type Spend } from './evaluator.js';
import { parse } from './parser.js';
import { type Syntax } from './syntax.js';

/** A source that was read; as JSON it can be stored, so that its meaning never shifts. */
export type Expression = Readonly<{ source: string; tree: Syntax }>;

/** Reads an expression. Throws ExpressionError with the position where it first goes wrong. */
export function compileExpression(source: string, options: CompileOptions = {}): Expression {
  return { source, tree: parse(source, options) };
}

/**
 * The value of an expression over the own members of `scope`; undefined where a path leads nowhere. Pure and total:
 * it ends within its limits with a value or an ExpressionError. `spend` is told of every step before it is gone, so
 * that a limit over several expressions can end it with an error of its own.
 */
export function evaluateExpression(
  { tree }: Expression,
  scope: JsonObject,
  spend?: Spend,
): JsonValue | undefined {
  return new Evaluator(spend).evaluate(tree, scope);
}
