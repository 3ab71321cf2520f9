import { PathIndex } from './path-index.js';
import { type PlacedPath } from './placed-path.js';
import { type Transformation } from './transformation.js';

type Links = ReadonlyMap<Transformation, readonly Transformation[]>;

/** The transformations on which each one depends, by its trigger or by its sources, in their order. */
export function linksOf(all: readonly Transformation[]): Links {
  const bySource = sourceLinksOf(all);
  return new Map(
    all.map((each) => {
      const sources = bySource.get(each) ?? new Set();
      const isLinked = (other: Transformation) =>
        each.trigger.transformation === other.transformationId || sources.has(other);
      return [each, all.filter(isLinked)];
    }),
  );
}

/** The transformations on which each one depends by its sources. A path that several of them read is looked up once. */
export function sourceLinksOf(
  all: readonly Transformation[],
): ReadonlyMap<Transformation, ReadonlySet<Transformation>> {
  const places = new PathIndex(
    all.flatMap((each) => each.destinations.map(({ names }) => [names, each] as const)),
  );
  const found = new Map<string, ReadonlySet<Transformation>>();
  const sourcesOf = ({ path, names }: PlacedPath) => {
    const known = found.get(path) ?? new Set(places.overlapping(names));
    found.set(path, known);
    return known;
  };
  return new Map(
    all.map((each) => [each, new Set(each.sources.flatMap((source) => [...sourcesOf(source)]))]),
  );
}
