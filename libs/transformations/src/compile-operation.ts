import {
  type CompileOptions,
  compileExpression,
  lineNamesIn,
  namesIn,
  parseDataPath,
} from '#expressions';

import { type Ready } from './operations.js';
import { type Report, orReport } from './transformation.error.js';
import { type Operation, type OperationOf } from './transformation.schema.js';

/** `sources`: the names that an operation may use. */
export type OperationSite = Readonly<{
  sources: readonly string[];
  report: Report;
  options: CompileOptions;
}>;

/** Reads what an operation holds as text. */
export function compileOperation(operation: Operation, site: OperationSite): Ready {
  const { sources, report } = site;
  const used = (source: string, field: string) =>
    readExpression(source, `/operation/${field}`, site);
  switch (operation.kind) {
    case 'score':
      return { operation, expression: used(operation.expression, 'expression') };
    case 'select':
      refuseDisorder(operation, report);
      return { operation, expression: used(operation.by, 'by') };
    case 'propagate':
      if (sources.length !== 1) report('/sources', 'must be exactly one: what is propagated');
      return { operation, expression: undefined };
    case 'enrich':
      checkEnrichment(operation, sources, report);
      return { operation, expression: undefined };
  }
}

function readExpression(
  source: string,
  pointer: string,
  { sources, report, options }: OperationSite,
) {
  const [expression] = orReport(pointer, report, () =>
    compileExpression(source, { ...options, lines: true }),
  );
  if (!expression) return undefined;
  const unknown = [...namesIn(expression.tree)].filter((name) => !sources.includes(name));
  if (unknown.length > 0)
    report(pointer, `names ${unknown.join(', ')}, which is no source: add it to sources`);
  const taken = lineNamesIn(expression.tree).find((name) => sources.includes(name));
  if (taken !== undefined)
    report(pointer, `gives a line the name ${taken}, which is a source: use another name`);
  return expression;
}

function refuseDisorder({ ranges }: OperationOf<'select'>, report: Report): void {
  for (const [at, { upTo = Infinity }] of ranges.entries())
    if (at > 0 && !(upTo > (ranges[at - 1]?.upTo ?? Infinity)))
      report(
        `/operation/ranges/${at}`,
        'is never reached: ranges go up, and what has no end is last',
      );
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
        `names ${operation[field]}, which is no source: add it to sources`,
      );
  if (eachKey !== undefined) orReport('/operation/eachKey', report, () => parseDataPath(eachKey));
  orReport('/operation/entryKey', report, () => parseDataPath(entryKey));
  if (eachAs === entriesAs) report('/operation/entriesAs', 'must differ from eachAs');
}
