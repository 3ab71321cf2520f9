import { ExpressionError, formatDataPath } from '#expressions';

import { compileOperation } from './compile-operation.js';
import { isDestination, overlap, parsePlace } from './place.js';
import {
  type DefinitionIssue,
  type Report,
  TransformationError,
  orReport,
} from './transformation.error.js';
import { type TransformationDefinition } from './transformation.schema.js';
import { type PlacedPath, type Transformation } from './transformation.js';

/** Reads the paths and expressions of a definition. Throws {@link TransformationError} with every fault. */
export function compileTransformation(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
): Transformation {
  const issues: DefinitionIssue[] = [];
  const report: Report = (pointer, detail) => issues.push({ pointer, detail });
  const { transformationId, version } = of;
  const transformation = {
    ...{ transformationId, version, trigger: definition.trigger },
    sources: Object.entries(definition.sources).flatMap(([name, path]) =>
      placed(path, `/sources/${name}`, report).map((found) => ({ name, ...found })),
    ),
    destinations: definition.destinations.flatMap((path, at) =>
      destination(path, `/destinations/${at}`, report),
    ),
    ready: compileOperation(definition.operation, Object.keys(definition.sources), report),
  };
  refuseOverlaps(transformation.destinations, report);
  if (issues.length > 0) throw new TransformationError(issues);
  return transformation;
}

function placed(path: string, pointer: string, report: Report): PlacedPath[] {
  const read = () => {
    const { place, names } = parsePlace(path);
    const spelling = formatDataPath(names);
    if (/\p{Cc}/u.test(spelling) || !spelling.isWellFormed())
      throw new ExpressionError('it holds control characters or lone surrogates', 0);
    return { path: spelling, names, place };
  };
  return orReport(pointer, report, read);
}

function destination(path: string, pointer: string, report: Report): PlacedPath[] {
  const found = placed(path, pointer, report);
  if (found.every(({ place }) => isDestination(place))) return found;
  report(
    pointer,
    'is nothing to derive: results go to project_metadata, global_context and the inputs of agents',
  );
  return [];
}

function refuseOverlaps(destinations: readonly PlacedPath[], report: Report): void {
  for (const [at, { names }] of destinations.entries())
    if (destinations.slice(0, at).some((other) => overlap(names, other.names)))
      report(`/destinations/${at}`, 'leads to the same place as another destination, or into it');
}
