import {
  type CompileOptions,
  compileExpression,
  lineNamesIn,
  namesIn,
  parseDataPath,
} from '#expressions';

import { pairNames } from './enrich.js';
import { type CompiledOperation } from './operations.js';
import { type Report, orReport } from './transformation.error.js';
import { type Operation, type OperationOf } from './transformation.schema.js';

/** `sources`: the names that an operation may use. */
type OperationContext = Readonly<{
  sources: readonly string[];
  report: Report;
  options: CompileOptions;
}>;

/** Compiles the expressions and paths of an operation. */
export function compileOperation(
  operation: Operation,
  context: OperationContext,
): CompiledOperation {
  const { sources, report } = context;
  const compiled = (source: string, field: string) =>
    readExpression(source, `/operation/${field}`, context);
  switch (operation.kind) {
    case 'score':
    case 'compute':
      return { operation, expression: compiled(operation.expression, 'expression') };
    case 'select':
      refuseDisorder(operation, report);
      refuseRepeated(operation, report);
      return { operation, expression: compiled(operation.by, 'by') };
    case 'propagate':
      if (sources.length !== 1)
        report('/sources', 'must have exactly one entry: the propagated source');
      return { operation, expression: undefined };
    case 'enrich':
      checkEnrichment(operation, sources, report);
      return { operation, expression: readMatch(operation, context) };
  }
}

/** Compiles `match`, in which `element` and `entry` are the compared pair. */
function readMatch({ match }: OperationOf<'enrich'>, context: OperationContext) {
  if (match === undefined) return undefined;
  const reserved = pairNames.filter((name) => context.sources.includes(name));
  for (const name of reserved)
    context.report(`/sources/${name}`, 'is reserved in match: use another name');
  const sources = [...context.sources, ...pairNames];
  return readExpression(match, '/operation/match', { ...context, sources }, false);
}

function readExpression(
  source: string,
  pointer: string,
  { sources, report, options }: OperationContext,
  lines = true,
) {
  const [expression] = orReport(pointer, report, () =>
    compileExpression(source, { ...options, lines }),
  );
  if (!expression) return undefined;
  const unknown = [...namesIn(expression.tree)].filter((name) => !sources.includes(name));
  if (unknown.length > 0)
    report(pointer, `uses ${unknown.join(', ')}, which is not a source: add it to sources`);
  const lineName = lineNamesIn(expression.tree).find((name) => sources.includes(name));
  if (lineName !== undefined)
    report(pointer, `names a line ${lineName}, which is the name of a source: use another name`);
  return expression;
}

function refuseDisorder({ ranges = [] }: OperationOf<'select'>, report: Report): void {
  for (const [at, { upTo = Infinity }] of ranges.entries())
    if (at > 0 && !(upTo > (ranges[at - 1]?.upTo ?? Infinity)))
      report(
        `/operation/ranges/${at}`,
        'is never reached: sort the ranges by upTo, smallest first, with a range without upTo last',
      );
}

function refuseRepeated({ cases = [] }: OperationOf<'select'>, report: Report): void {
  for (const [at, { is }] of cases.entries())
    if (cases.slice(0, at).some((before) => before.is === is))
      report(`/operation/cases/${at}`, 'is never reached: an earlier case is equal');
}

function checkEnrichment(
  operation: OperationOf<'enrich'>,
  sources: readonly string[],
  report: Report,
): void {
  const { eachKey, entryKey, eachAs, entriesAs } = operation;
  for (const field of ['each', 'entries'] as const)
    if (!sources.includes(operation[field]))
      report(
        `/operation/${field}`,
        `is ${operation[field]}, which is not a source: add it to sources`,
      );
  if (eachKey !== undefined) orReport('/operation/eachKey', report, () => parseDataPath(eachKey));
  if (entryKey !== undefined)
    orReport('/operation/entryKey', report, () => parseDataPath(entryKey));
  if (eachAs === entriesAs) report('/operation/entriesAs', 'must differ from eachAs');
}
