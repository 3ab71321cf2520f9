import { type CompileOptions } from '#expressions';

import { compileOperation } from './compile-operation.js';
import { isDestination, overlap } from './place.js';
import { type PlacedPath, placedPath } from './placed-path.js';
import {
  type DefinitionIssue,
  type Report,
  TransformationError,
  orReport,
} from './transformation.error.js';
import { type TransformationDefinition } from './transformation.schema.js';
import { type Transformation } from './transformation.js';

/**
 * Compiles the paths and expressions of a definition. Throws {@link TransformationError} with all faults. `options`:
 * checks that apply only to new definitions, not to stored ones.
 */
export function compileTransformation(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
  options: CompileOptions = {},
): Transformation {
  const issues: DefinitionIssue[] = [];
  const report: Report = (pointer, detail) => issues.push({ pointer, detail });
  const { transformationId, version } = of;
  const transformation = {
    transformationId,
    version,
    trigger: definition.trigger,
    sources: Object.entries(definition.sources).flatMap(([name, path]) =>
      readPath(path, `/sources/${name}`, report).map((found) => ({ name, ...found })),
    ),
    destinations: definition.destinations.flatMap((path, at) =>
      readDestination(path, `/destinations/${at}`, report),
    ),
    operation: compileOperation(definition.operation, {
      sources: Object.keys(definition.sources),
      report,
      options,
    }),
  };
  refuseOverlaps(transformation.destinations, report);
  if (issues.length > 0) throw new TransformationError(issues);
  return transformation;
}

function readPath(path: string, pointer: string, report: Report): PlacedPath[] {
  return orReport(pointer, report, () => placedPath(path));
}

function readDestination(path: string, pointer: string, report: Report): PlacedPath[] {
  const found = readPath(path, pointer, report);
  if (found.every(({ place }) => isDestination(place))) return found;
  report(
    pointer,
    'cannot be derived: results go to project_metadata, global_context and the inputs of agents',
  );
  return [];
}

function refuseOverlaps(destinations: readonly PlacedPath[], report: Report): void {
  for (const [at, { names }] of destinations.entries())
    if (destinations.slice(0, at).some((other) => overlap(names, other.names)))
      report(`/destinations/${at}`, 'overlaps another destination');
}
