import { type JsonObject, type JsonValue } from '#event-sourcing';

import { Evaluator } from './evaluator.js';
import { parse } from './parser.js';
import { type Syntax } from './syntax.js';

/** A source that was read; as JSON it can be stored, so that its meaning never shifts. */
export type Expression = Readonly<{ source: string; tree: Syntax }>;

export type CompileOptions = Readonly<{
  /** Names that may stand behind a dot though they hold hyphens, as ids of steps do. */
  declared?: readonly string[];
}>;

/** Reads an expression. Throws ExpressionError with the position where it first goes wrong. */
export function compileExpression(
  source: string,
  { declared = [] }: CompileOptions = {},
): Expression {
  return { source, tree: parse(source, declared) };
}

/**
 * The value of an expression over the own members of `scope`; undefined where a path leads nowhere. Pure and total:
 * it ends within its limits with a value or an ExpressionError.
 */
export function evaluateExpression({ tree }: Expression, scope: JsonObject): JsonValue | undefined {
  return new Evaluator().evaluate(tree, scope);
}
