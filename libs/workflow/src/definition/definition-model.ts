import { branchEntries } from './branches.js';
import { type RouteGraph, reachableFrom } from './route-graph.js';
import { type StepKinds } from './step-kind.js';
import { targetOf } from './step-routes.js';
import { type PlacedStep, type StepRoute, placeSteps, routesOf } from './step-tree.js';
import { type WorkflowDefinition } from './workflow.schema.js';

/** The steps at the top, or those of one parallel step. Routes do not leave a region. */
export type RegionModel = Readonly<{
  parent: PlacedStep | undefined;
  isParallel: boolean;
  steps: readonly PlacedStep[];
  graph: RouteGraph;
  entries: readonly string[];
}>;

/** A definition that matches its schema, with indexes of its steps. It may have any fault that validation reports. */
export class DefinitionModel {
  readonly placed: readonly PlacedStep[];
  readonly initialNames: readonly string[];
  readonly #regions: ReadonlyMap<PlacedStep | undefined, RegionModel>;
  readonly #byId = new Map<string, PlacedStep>();
  readonly #byAlias = new Map<string, PlacedStep>();

  constructor(
    readonly definition: WorkflowDefinition,
    readonly kinds: StepKinds,
  ) {
    this.placed = placeSteps(definition.steps, kinds);
    this.initialNames = Object.keys(definition.initial_context ?? {});
    // If steps share an id, which is a fault, the first one counts.
    for (const placed of this.placed.toReversed()) {
      this.#byId.set(placed.step.id, placed);
      if (placed.step.output !== undefined) this.#byAlias.set(placed.step.output, placed);
    }
    const parents = new Set([undefined, ...this.placed.map(({ parent }) => parent)]);
    this.#regions = new Map(Array.from(parents, (parent) => [parent, this.#region(parent)]));
  }

  stepOfId(id: string): PlacedStep | undefined {
    return this.#byId.get(id);
  }

  /** Finds a step by its id or its `output`. */
  stepOfName(name: string): PlacedStep | undefined {
    return this.#byId.get(name) ?? this.#byAlias.get(name);
  }

  /** Ids, outputs and members of the initial context: the possible members of `context`. */
  get names(): readonly string[] {
    return [...this.#byId.keys(), ...this.#byAlias.keys(), ...this.initialNames];
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  routesOf({ step }: PlacedStep): readonly StepRoute[] {
    return routesOf(step, this.kinds);
  }

  /** The step, the parallel step that contains it, and so on outwards. */
  chainOf(placed: PlacedStep): readonly PlacedStep[] {
    return placed.parent ? [placed, ...this.chainOf(placed.parent)] : [placed];
  }

  /** The region of a step. */
  regionOf({ parent }: PlacedStep): RegionModel {
    return this.regionWithin(parent);
  }

  /** The region within a parallel step, or at the top. */
  regionWithin(parent: PlacedStep | undefined): RegionModel {
    return this.#regions.get(parent) ?? this.#region(parent);
  }

  /** Regions, outer ones before inner ones. */
  get regions(): readonly RegionModel[] {
    return [...this.#regions.values()];
  }

  #region(parent: PlacedStep | undefined): RegionModel {
    const steps = this.placed.filter((placed) => placed.parent === parent);
    const isParallel = parent !== undefined || this.definition.parallel === true;
    const ids = new Set(steps.map(({ step }) => step.id));
    const graph = new Map<string, readonly string[]>();
    for (const placed of steps) {
      const targets = this.routesOf(placed).map(({ route }) => targetOf(route));
      const before = graph.get(placed.step.id) ?? [];
      graph.set(placed.step.id, [...before, ...targets.filter((target) => ids.has(target))]);
    }
    const entries = isParallel ? branchEntries(graph) : [...graph.keys()].slice(0, 1);
    return { parent, isParallel, steps, graph, entries };
  }
}

/** The ids that a run may reach after a step of a region; may include the step itself. */
export function reachedAfter({ graph }: RegionModel, id: string): ReadonlySet<string> {
  return reachableFrom(graph, graph.get(id) ?? []);
}
