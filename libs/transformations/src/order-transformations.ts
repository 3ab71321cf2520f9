import { overlap } from './place.js';
import { type Transformation } from './transformation.js';
import { TransformationSet } from './transformation-set.js';

/** Puts transformations behind those they rest on, so that one pass derives everything. */
export function orderTransformations(all: readonly Transformation[]): TransformationSet {
  const ordered = new Set<Transformation>();
  const entered = new Set<Transformation>();
  const visit = (each: Transformation): void => {
    if (entered.has(each)) return;
    entered.add(each);
    for (const other of all) if (linkTo(each, other) !== undefined) visit(other);
    ordered.add(each);
  };
  for (const each of all) visit(each);
  return new TransformationSet([...ordered]);
}

/** Where in a definition it says that it rests on another: a pointer, or undefined where it does not. */
export function linkTo(
  { trigger, sources }: Transformation,
  { transformationId, destinations }: Transformation,
): string | undefined {
  if (trigger.transformation === transformationId) return '/trigger/transformation';
  const source = sources.find(({ names }) =>
    destinations.some((destination) => overlap(destination.names, names)),
  );
  return source && `/sources/${source.name}`;
}
