import { type RouteGraph, strongComponents } from '../definition/route-graph.js';
import { followLimits } from '../definition/limit-chain.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep } from '../definition/step-tree.js';
import { type DefinitionModel, type RegionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';

/** Warns of loops without a limit, which only `max_iterations` of the run ends. */
export function checkLoops(model: DefinitionModel, report: Report): void {
  for (const region of model.regions) new LoopCheck(model, region, report).check();
}

/** A route, and the step that it leads to if all limits of visits are reached. */
type LastRoute = Readonly<{ member: string; target: string }>;

type ClosingRoute = LastRoute & Readonly<{ placed: PlacedStep }>;

class LoopCheck {
  /** The routes that remain if all limits are reached: a loop among them has no limit. */
  readonly #unlimited: RouteGraph;

  constructor(
    private readonly model: DefinitionModel,
    private readonly region: RegionModel,
    private readonly report: Report,
  ) {
    this.#unlimited = new Map(
      region.steps.map((placed) => [
        placed.step.id,
        this.#lastRoutes(placed).map(({ target }) => target),
      ]),
    );
  }

  check(): void {
    const indexes = new Map(this.region.steps.map(({ step }, at) => [step.id, at]));
    for (const component of strongComponents(this.#unlimited)) {
      const loop = component.toSorted((a, b) => (indexes.get(a) ?? 0) - (indexes.get(b) ?? 0));
      const closing = this.#closingOf(loop, indexes);
      if (closing) this.#warn(closing, loop);
    }
  }

  /** The first route of a loop that leads back. A single step need not lead to itself. */
  #closingOf(
    loop: readonly string[],
    indexes: ReadonlyMap<string, number>,
  ): ClosingRoute | undefined {
    const ids = new Set(loop);
    for (const [at, placed] of this.region.steps.entries()) {
      if (!ids.has(placed.step.id)) continue;
      const route = this.#lastRoutes(placed).find(
        ({ target }) => ids.has(target) && (indexes.get(target) ?? Infinity) <= at,
      );
      if (route) return { placed, ...route };
    }
    return undefined;
  }

  #lastRoutes(placed: PlacedStep): readonly LastRoute[] {
    if (placed.step.max_visits !== undefined) return [];
    return this.model.routesOf(placed).flatMap(({ member, route }) => {
      if (typeof route === 'object' && route.max_visits !== undefined) return [];
      const { end } = followLimits(targetOf(route), (id) => this.model.stepOfId(id)?.step);
      return end === undefined ? [] : [{ member, target: end }];
    });
  }

  #warn({ placed, member, target }: ClosingRoute, loop: readonly string[]): void {
    const listed = loop.length > 5 ? [...loop.slice(0, 4), '...'] : loop;
    this.report({
      code: 'loop-without-limit',
      pointer: `${placed.pointer}/${member}`,
      message: `the loop of ${listed.join(', ')} has no limit, so that only max_iterations ends it: set max_visits of ${target}, or write { "to": "${target}", "max_visits": 3 }`,
    });
  }
}
