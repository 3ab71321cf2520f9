import { transformationLimits } from './limits.js';
import { linksOf } from './links.js';
import { overlap } from './place.js';
import { type DefinitionIssue, TransformationError } from './transformation.error.js';
import { type Transformation } from './transformation.js';

/** Throws {@link TransformationError} if a transformation conflicts with the others of its workspace. */
export function refuseConflicts(changed: Transformation, others: readonly Transformation[]): void {
  const issues = [
    ...unknownTrigger(changed, others),
    ...takenDestinations(changed, others),
    ...findCycle(changed, others),
    ...tooMany(changed, others),
  ];
  if (issues.length > 0) throw new TransformationError(issues);
}

function unknownTrigger(
  { transformationId, trigger }: Transformation,
  others: readonly Transformation[],
): DefinitionIssue[] {
  const { transformation } = trigger;
  const known = [transformationId, ...others.map((other) => other.transformationId)];
  if (transformation === undefined || known.includes(transformation)) return [];
  return [
    {
      pointer: '/trigger/transformation',
      detail: 'names no active transformation of this workspace',
    },
  ];
}

function takenDestinations(
  { destinations }: Transformation,
  others: readonly Transformation[],
): DefinitionIssue[] {
  return destinations.flatMap(({ names }, at) => {
    const holder = others.find((other) =>
      other.destinations.some((each) => overlap(each.names, names)),
    );
    const detail = `"${holder?.transformationId}" derives this place or an overlapping one already`;
    return holder ? [{ pointer: `/destinations/${at}`, detail }] : [];
  });
}

function tooMany(
  { destinations }: Transformation,
  others: readonly Transformation[],
): DefinitionIssue[] {
  const { places } = transformationLimits;
  const taken = others.reduce((count, other) => count + other.destinations.length, 0);
  if (taken + destinations.length <= places) return [];
  const detail = `a workspace derives at most ${places} places, and ${taken} are taken`;
  return [{ pointer: '/destinations', detail }];
}

/** The shortest cycle of dependencies that contains the changed transformation, if there is one. */
function findCycle(changed: Transformation, others: readonly Transformation[]): DefinitionIssue[] {
  const links = linksOf([changed, ...others]);
  const paths: Transformation[][] = [[changed]];
  const visited = new Set<Transformation>();
  for (const path of paths) {
    const at = path.at(-1);
    for (const next of (at && links.get(at)) ?? []) {
      if (next === changed) return [cycleIssue(path, changed)];
      if (visited.has(next)) continue;
      visited.add(next);
      paths.push([...path, next]);
    }
  }
  return [];
}

function cycleIssue(path: readonly Transformation[], changed: Transformation): DefinitionIssue {
  const names = [...path, changed].map(({ transformationId }) => `"${transformationId}"`);
  return {
    pointer: pointerTo(changed, path[1] ?? changed),
    detail: `forms a cycle: ${names.join(' depends on ')}`,
  };
}

/** The member of a definition that makes a transformation depend on another one. */
function pointerTo(
  { trigger, sources }: Transformation,
  { transformationId, destinations }: Transformation,
): string {
  if (trigger.transformation === transformationId) return '/trigger/transformation';
  const source = sources.find(({ names }) =>
    destinations.some((destination) => overlap(destination.names, names)),
  );
  return source ? `/sources/${source.name}` : '';
}
