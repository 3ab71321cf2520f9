import { transformationLimits } from './limits.js';
import { linksOf } from './links.js';
import { overlap } from './place.js';
import { type DefinitionIssue, TransformationError } from './transformation.error.js';
import { type Transformation } from './transformation.js';

/** Throws {@link TransformationError} if a transformation cannot stand beside the others of its workspace. */
export function refuseConflicts(changed: Transformation, others: readonly Transformation[]): void {
  const issues = [
    ...unknownTrigger(changed, others),
    ...taken(changed, others),
    ...circle(changed, others),
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

function taken(
  { destinations }: Transformation,
  others: readonly Transformation[],
): DefinitionIssue[] {
  return destinations.flatMap(({ names }, at) => {
    const holder = others.find((other) =>
      other.destinations.some((each) => overlap(each.names, names)),
    );
    const detail = `"${holder?.transformationId}" derives this place already, or one in it or around it`;
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

/** The shortest way round, where there is one: from the changed one over those it rests on, back to it. */
function circle(changed: Transformation, others: readonly Transformation[]): DefinitionIssue[] {
  const links = linksOf([changed, ...others]);
  const ways: Transformation[][] = [[changed]];
  const seen = new Set<Transformation>();
  for (const way of ways) {
    const at = way.at(-1);
    for (const next of (at && links.get(at)) ?? []) {
      if (next === changed) return [described(way, changed)];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [];
}

function described(way: readonly Transformation[], changed: Transformation): DefinitionIssue {
  const names = [...way, changed].map(({ transformationId }) => `"${transformationId}"`);
  return {
    pointer: pointerTo(changed, way[1] ?? changed),
    detail: `goes round in a circle: ${names.join(' rests on ')}`,
  };
}

/** Where in its definition a transformation says that it rests on another. */
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
