import { linksOf } from './links.js';
import { type Transformation } from './transformation.js';
import { TransformationSet } from './transformation-set.js';

/** Sorts transformations topologically by their dependencies, so that one pass derives everything. */
export function orderTransformations(all: readonly Transformation[]): TransformationSet {
  const links = linksOf(all);
  const ordered = new Set<Transformation>();
  const entered = new Set<Transformation>();
  const visit = (each: Transformation): void => {
    if (entered.has(each)) return;
    entered.add(each);
    for (const other of links.get(each) ?? []) visit(other);
    ordered.add(each);
  };
  for (const each of all) visit(each);
  return new TransformationSet([...ordered]);
}
