import { type Happenings, strongest } from './happenings.js';
import { sourceLinksOf } from './links.js';
import { PathIndex } from './path-index.js';
import { type DerivedPlace } from './placed-path.js';
import { type Transformation } from './transformation.js';

/**
 * What happenings are to a transformation. A trigger asks for the first value, too; a change of a source for a newer one
 * where there was one. `onRecord`: whether those who see only the record may see any of it.
 */
type Concern = Readonly<{ isTrigger: boolean; onRecord: boolean }>;

/** The active transformations of a workspace, each behind those it rests on. */
export class TransformationSet {
  static readonly empty = new TransformationSet([]);

  /** Every place that values are derived for. */
  readonly places: PathIndex<DerivedPlace>;
  readonly #byId: ReadonlyMap<string, Transformation>;
  /** By transformation: the ids of those whose values it reads. */
  readonly #read: ReadonlyMap<Transformation, readonly string[]>;

  /** `ordered` as orderTransformations has put them. */
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

  /** What {@link places} holds, in the order in which values are derived. */
  destinations(): readonly DerivedPlace[] {
    return this.ordered.flatMap(({ destinations, transformationId }) =>
      destinations.map((path) => ({ ...path, transformationId })),
    );
  }

  /** Whether a transformation derives the value of a path: not if it is switched off, or derives others by now. */
  derives(path: string, transformationId: string): boolean {
    const { destinations = [] } = this.find(transformationId) ?? {};
    return destinations.some((each) => each.path === path);
  }

  find(transformationId: string): Transformation | undefined {
    return this.#byId.get(transformationId);
  }

  /** Undefined if nothing that happened concerns the transformation. */
  concernOf(happenings: Happenings, transformation: Transformation): Concern | undefined {
    const { trigger, sources } = transformation;
    const triggered = happenings.ofTrigger(trigger);
    const onRecord = strongest([
      triggered,
      happenings.ofRequest(transformation.transformationId),
      ...sources.map(({ place }) => happenings.ofPlace(place)),
      ...this.#readBy(transformation).map((each) => happenings.ofDerived(each)),
    ]);
    return onRecord === undefined ? undefined : { isTrigger: triggered !== undefined, onRecord };
  }

  /** Those that may have to run, and those that rest on them, in their order. */
  reachedBy(happenings: Happenings): readonly Transformation[] {
    const reached = new Set<string | undefined>();
    return this.ordered.filter((transformation) => {
      const { transformationId, trigger } = transformation;
      const restsOn = [trigger.transformation, ...this.#readBy(transformation)];
      const isReached =
        restsOn.some((each) => reached.has(each)) ||
        this.concernOf(happenings, transformation) !== undefined;
      if (isReached) reached.add(transformationId);
      return isReached;
    });
  }

  #readBy(transformation: Transformation): readonly string[] {
    return this.#read.get(transformation) ?? [];
  }
}
