import { kindOf } from '../definition/step-kinds.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep, exitsOf } from '../definition/step-tree.js';
import { type ExitOutcome } from '../definition/step-kind.js';
import {
  type DefinitionModel,
  type RegionModel,
  reachedAfter,
} from '../definition/definition-model.js';

/**
 * Sets of facts as bits: for the nth step, bit 2n is set if it has a result in the context, and bit 2n + 1 if it has an
 * outcome. Failed steps have an outcome as well.
 */
type Facts = bigint;

/** The facts at a step that no run reaches: all of them. */
const everything: Facts = -1n;

type FactsBefore = Map<string, Facts>;

/** Determines which results exist whenever a step runs, over all routes to it. */
export class Availability {
  readonly #numbers: ReadonlyMap<PlacedStep, bigint>;
  /** The facts that the success of a step adds besides its own result: the results of the steps within it. */
  readonly #within = new Map<PlacedStep, Facts>();
  readonly #before = new Map<PlacedStep, Facts>();
  readonly #atEnd: Facts;
  readonly #reached = new Map<PlacedStep, ReadonlySet<string>>();

  constructor(private readonly model: DefinitionModel) {
    this.#numbers = new Map(model.placed.map((placed, at) => [placed, BigInt(2 * at)]));
    // Inner regions come after outer ones.
    for (const region of model.regions.toReversed())
      if (region.parent) this.#within.set(region.parent, this.#gained(region));
    for (const region of model.regions) this.#addBefore(region);
    this.#atEnd = this.#gained(model.regionWithin(undefined));
  }

  /** Whether a value exists when `reader` runs; without a reader, at the end of a run. */
  stateOf(what: 'result' | 'outcome', of: PlacedStep, reader: PlacedStep | undefined) {
    const facts = reader ? (this.#before.get(reader) ?? 0n) : this.#atEnd;
    if ((facts & this.#factOf(what, of)) !== 0n) return 'present';
    return reader === undefined || this.#canPrecede(of, reader) ? 'uncertain' : 'absent';
  }

  #addBefore(region: RegionModel): void {
    const inherited = region.parent ? this.#before.get(region.parent) : 0n;
    const before = this.#analyse(region, inherited ?? 0n);
    for (const placed of region.steps)
      this.#before.set(placed, before.get(placed.step.id) ?? everything);
  }

  /** Whether a step can have run before `reader` does. */
  #canPrecede(placed: PlacedStep, reader: PlacedStep): boolean {
    const chain = this.model.chainOf(placed);
    return this.model.chainOf(reader).some((at) => {
      const sibling = chain.find(({ parent }) => parent === at.parent);
      return sibling !== undefined && this.#reachedAfter(sibling).has(at.step.id);
    });
  }

  #reachedAfter(placed: PlacedStep): ReadonlySet<string> {
    const cached = this.#reached.get(placed);
    if (cached) return cached;
    const reached = reachedAfter(this.model.regionOf(placed), placed.step.id);
    this.#reached.set(placed, reached);
    return reached;
  }

  #factOf(what: 'result' | 'outcome', placed: PlacedStep): Facts {
    const number = this.#numbers.get(placed) ?? 0n;
    return 1n << (what === 'result' ? number : number + 1n);
  }

  /** The facts that are certain after the steps of a region if all its branches succeed. */
  #gained(region: RegionModel): Facts {
    const before = this.#analyse(region, 0n);
    let gained = 0n;
    for (const entry of region.entries) {
      const branch = new Set([entry, ...reachedAfter(region, entry)]);
      let facts = everything;
      for (const placed of region.steps)
        if (branch.has(placed.step.id)) facts &= this.#factsAtEnds(placed, before);
      if (facts !== everything) gained |= facts;
    }
    return gained;
  }

  /** The facts that hold whenever a branch ends successfully with a step; an unhandled rejection is not a success. */
  #factsAtEnds(placed: PlacedStep, before: FactsBefore): Facts {
    let facts = everything;
    for (const { route, outcome } of exitsOf(placed.step, this.model.kinds))
      if (route === undefined && outcome !== 'rejection')
        facts &= this.#after(placed, outcome, before);
    return facts;
  }

  #after(placed: PlacedStep, outcome: ExitOutcome, before: FactsBefore): Facts {
    return (before.get(placed.step.id) ?? everything) | this.#added(placed, outcome);
  }

  #added(placed: PlacedStep, outcome: ExitOutcome): Facts {
    // All visits before the limit may have skipped the step.
    const mayNotHaveRun = outcome === 'limit' && placed.step.when !== undefined;
    if (outcome === 'bypass' || mayNotHaveRun) return 0n;
    const ran = this.#factOf('outcome', placed);
    if (outcome === 'failure' || outcome === 'limit') return ran;
    const needsChildren = kindOf(placed.step, this.model.kinds).needsChildren(placed.step);
    const within = needsChildren ? (this.#within.get(placed) ?? 0n) : 0n;
    return ran | this.#factOf('result', placed) | within;
  }

  /** The facts before each step of a region; they hold on every route to it. */
  #analyse(region: RegionModel, inherited: Facts): FactsBefore {
    const before: FactsBefore = new Map(region.steps.map(({ step }) => [step.id, everything]));
    for (const entry of region.entries) before.set(entry, inherited);
    const steps = new Map(region.steps.map((placed) => [placed.step.id, placed]));
    const open = [...region.entries];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const placed = steps.get(id);
      if (placed) open.push(...this.#narrow(placed, before));
    }
    return before;
  }

  /**
   * Removes facts that do not hold after this step from the steps that follow it. Returns the ids of the steps that
   * changed.
   */
  #narrow(placed: PlacedStep, before: FactsBefore): readonly string[] {
    return this.model.routesOf(placed).flatMap(({ route, outcome }) => {
      const target = targetOf(route);
      const current = before.get(target);
      if (current === undefined) return [];
      const remaining = current & this.#after(placed, outcome, before);
      before.set(target, remaining);
      return remaining === current ? [] : [target];
    });
  }
}
