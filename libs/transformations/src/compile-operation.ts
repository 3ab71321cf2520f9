import {
  type CompileOptions,
  compileExpression,
  lineNamesIn,
  namesIn,
  parseDataPath,
} from '#expressions';

import { pairNames } from './enrich.js';
import { type Ready } from './operations.js';
import { type Report, orReport } from './transformation.error.js';
import { type Operation, type OperationOf } from './transformation.schema.js';

/** `sources`: the names that an operation may use. */
type OperationSite = Readonly<{
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
    case 'compute':
      return { operation, expression: used(operation.expression, 'expression') };
    case 'select':
      refuseDisorder(operation, report);
      refuseRepeated(operation, report);
      return { operation, expression: used(operation.by, 'by') };
    case 'propagate':
      if (sources.length !== 1) report('/sources', 'must be exactly one: what is propagated');
      return { operation, expression: undefined };
    case 'enrich':
      checkEnrichment(operation, sources, report);
      return { operation, expression: readMatch(operation, site) };
  }
}

/** Compiles `match`, in which the compared pair is called `element` and `entry`. */
function readMatch({ match }: OperationOf<'enrich'>, site: OperationSite) {
  if (match === undefined) return undefined;
  const taken = pairNames.filter((name) => site.sources.includes(name));
  for (const name of taken)
    site.report(`/sources/${name}`, 'has a meaning of its own in match: use another name');
  const sources = [...site.sources, ...pairNames];
  return readExpression(match, '/operation/match', { ...site, sources }, false);
}

function readExpression(
  source: string,
  pointer: string,
  { sources, report, options }: OperationSite,
  lines = true,
) {
  const [expression] = orReport(pointer, report, () =>
    compileExpression(source, { ...options, lines }),
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

function refuseDisorder({ ranges = [] }: OperationOf<'select'>, report: Report): void {
  for (const [at, { upTo = Infinity }] of ranges.entries())
    if (at > 0 && !(upTo > (ranges[at - 1]?.upTo ?? Infinity)))
      report(
        `/operation/ranges/${at}`,
        'is never reached: write the ranges by their upTo, smallest first, and one without upTo last',
      );
}

function refuseRepeated({ cases = [] }: OperationOf<'select'>, report: Report): void {
  for (const [at, { is }] of cases.entries())
    if (cases.slice(0, at).some((before) => before.is === is))
      report(`/operation/cases/${at}`, 'is never reached: a case before it is the same');
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
  if (entryKey !== undefined)
    orReport('/operation/entryKey', report, () => parseDataPath(entryKey));
  if (eachAs === entriesAs) report('/operation/entriesAs', 'must differ from eachAs');
}
