import { overlap } from './place.js';
import { type Transformation } from './transformation.js';

/** Something that may call for values to be derived. */
export type Happening =
  | Readonly<{ kind: 'output'; stepId: string; agentId: string; name: string | undefined }>
  | Readonly<{ kind: 'completion'; agentId: string }>
  | Readonly<{ kind: 'global'; members: readonly string[] }>
  | Readonly<{ kind: 'derived'; transformationId: string }>;

/** `trigger` asks for the first value, too; `source` for a newer one where there was one. */
export type Concern = 'trigger' | 'source';

/** The active transformations of a workspace, each behind those it rests on. */
export class TransformationSet {
  static readonly empty = new TransformationSet([]);

  readonly #byId: ReadonlyMap<string, Transformation>;

  /** `ordered` as orderTransformations has put them. */
  constructor(readonly ordered: readonly Transformation[]) {
    this.#byId = new Map(ordered.map((each) => [each.transformationId, each]));
  }

  find(transformationId: string): Transformation | undefined {
    return this.#byId.get(transformationId);
  }

  /** What a happening is to a transformation; undefined where it is nothing. */
  concernOf(happening: Happening, transformation: Transformation): Concern | undefined {
    if (triggers(happening, transformation)) return 'trigger';
    return this.#touches(happening, transformation) ? 'source' : undefined;
  }

  /** Those that may have to run, and those that rest on them, in their order. */
  reachedBy(happenings: readonly Happening[]): readonly Transformation[] {
    const reached: Transformation[] = [];
    const known = [...happenings];
    for (const transformation of this.ordered) {
      if (!known.some((each) => this.concernOf(each, transformation))) continue;
      reached.push(transformation);
      known.push({ kind: 'derived', transformationId: transformation.transformationId });
    }
    return reached;
  }

  #touches(happening: Happening, { sources }: Transformation): boolean {
    switch (happening.kind) {
      case 'global':
        return sources.some(
          ({ place }) => place.kind === 'global' && happening.members.includes(place.member),
        );
      case 'derived': {
        const of = this.find(happening.transformationId)?.destinations ?? [];
        return sources.some(({ names }) => of.some((each) => overlap(each.names, names)));
      }
      case 'completion':
        return false;
      case 'output':
        return sources.some(({ place }) => holds(happening, place));
    }
  }
}

function triggers(happening: Happening, { trigger }: Transformation): boolean {
  if (happening.kind === 'derived') return trigger.transformation === happening.transformationId;
  if (happening.kind === 'global') return false;
  const step = happening.kind === 'output' && trigger.step === happening.stepId;
  return step || trigger.agent === happening.agentId;
}

function holds(
  { stepId, agentId, name }: Extract<Happening, { kind: 'output' }>,
  place: Transformation['sources'][number]['place'],
): boolean {
  if (place.kind === 'step') return place.stepId === stepId;
  return place.kind === 'output' && place.agentId === agentId && place.name === name;
}
