import { type DerivationCauses, combineVisibility } from './derivation-causes.js';
import { sourceLinksOf } from './links.js';
import { PathIndex } from './path-index.js';
import { type DerivedPlace } from './placed-path.js';
import { type Transformation } from './transformation.js';

/**
 * The effect of causes on a transformation. A trigger also derives the first value; a changed source only updates an
 * existing value. `onRecord`: whether any of the causes is on record.
 */
type Relevance = Readonly<{ isTrigger: boolean; onRecord: boolean }>;

/** The active transformations of a workspace, sorted so that each one follows its dependencies. */
export class TransformationSet {
  static readonly empty = new TransformationSet([]);

  /** The destinations of all transformations. */
  readonly places: PathIndex<DerivedPlace>;
  readonly #byId: ReadonlyMap<string, Transformation>;
  /** The ids of the transformations whose values each one reads. */
  readonly #read: ReadonlyMap<Transformation, readonly string[]>;

  /** `ordered`: sorted by `orderTransformations`. */
  constructor(readonly ordered: readonly Transformation[]) {
    this.places = new PathIndex(this.destinations().map((place) => [place.names, place]));
    this.#byId = new Map(ordered.map((each) => [each.transformationId, each]));
    this.#read = new Map(
      Array.from(sourceLinksOf(ordered), ([each, others]) => [
        each,
        Array.from(others, ({ transformationId }) => transformationId),
      ]),
    );
  }

  /** The same destinations as {@link places}, in the order in which values are derived. */
  destinations(): readonly DerivedPlace[] {
    return this.ordered.flatMap(({ destinations, transformationId }) =>
      destinations.map((path) => ({ ...path, transformationId })),
    );
  }

  /** Whether a transformation derives the value of a path: false if it is inactive, or has other destinations now. */
  derives(path: string, transformationId: string): boolean {
    const { destinations = [] } = this.find(transformationId) ?? {};
    return destinations.some((each) => each.path === path);
  }

  find(transformationId: string): Transformation | undefined {
    return this.#byId.get(transformationId);
  }

  /** Undefined if no cause concerns the transformation. */
  relevanceOf(causes: DerivationCauses, transformation: Transformation): Relevance | undefined {
    const { trigger, sources } = transformation;
    const triggered = causes.ofTrigger(trigger);
    const onRecord = combineVisibility([
      triggered,
      causes.ofRequest(transformation.transformationId),
      ...sources.map(({ place }) => causes.ofPlace(place)),
      ...this.#readBy(transformation).map((each) => causes.ofDerived(each)),
    ]);
    return onRecord === undefined ? undefined : { isTrigger: triggered !== undefined, onRecord };
  }

  /** The transformations that may have to run, and the ones that depend on them, in their order. */
  affectedBy(causes: DerivationCauses): readonly Transformation[] {
    const affected = new Set<string | undefined>();
    return this.ordered.filter((transformation) => {
      const { transformationId, trigger } = transformation;
      const dependencies = [trigger.transformation, ...this.#readBy(transformation)];
      const isAffected =
        dependencies.some((each) => affected.has(each)) ||
        this.relevanceOf(causes, transformation) !== undefined;
      if (isAffected) affected.add(transformationId);
      return isAffected;
    });
  }

  #readBy(transformation: Transformation): readonly string[] {
    return this.#read.get(transformation) ?? [];
  }
}
