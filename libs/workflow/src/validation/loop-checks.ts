import { type RouteGraph, strongComponents } from '../definition/route-graph.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep, type StepRoute } from '../definition/step-tree.js';
import { type DefinitionModel, type RegionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';

/** Every loop should have a limit of its own; without one, `max_iterations` of the whole run ends it. */
export function checkLoops(model: DefinitionModel, report: Report): void {
  for (const region of model.regions) new LoopCheck(model, region, report).check();
}

type Closing = Readonly<{ placed: PlacedStep; route: StepRoute }>;

class LoopCheck {
  /** Without the routes and steps that have limits: what is still a loop in it has none. */
  readonly #unlimited: RouteGraph;

  constructor(
    private readonly model: DefinitionModel,
    private readonly region: RegionModel,
    private readonly report: Report,
  ) {
    this.#unlimited = new Map(
      region.steps.map((placed) => [
        placed.step.id,
        this.#unlimitedRoutes(placed).map(({ route }) => targetOf(route)),
      ]),
    );
  }

  check(): void {
    const places = new Map(this.region.steps.map(({ step }, at) => [step.id, at]));
    for (const component of strongComponents(this.#unlimited)) {
      const loop = component.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      const closing = this.#closingOf(loop, places);
      if (closing) this.#warn(closing, loop);
    }
  }

  /** The first route of a loop that leads back. A single step need not lead to itself. */
  #closingOf(loop: readonly string[], places: ReadonlyMap<string, number>): Closing | undefined {
    const ids = new Set(loop);
    for (const [at, placed] of this.region.steps.entries()) {
      if (!ids.has(placed.step.id)) continue;
      const route = this.#unlimitedRoutes(placed).find((each) => {
        const target = targetOf(each.route);
        return ids.has(target) && (places.get(target) ?? Infinity) <= at;
      });
      if (route) return { placed, route };
    }
    return undefined;
  }

  #unlimitedRoutes(placed: PlacedStep): readonly StepRoute[] {
    if (placed.step.max_visits !== undefined) return [];
    return this.model.routesOf(placed).filter(({ route }) => {
      const target = this.model.stepOfId(targetOf(route));
      const isLimited = typeof route === 'object' && route.max_visits !== undefined;
      return !isLimited && target?.step.max_visits === undefined;
    });
  }

  #warn({ placed, route: { member, route } }: Closing, loop: readonly string[]): void {
    const shown = loop.length > 5 ? [...loop.slice(0, 4), '...'] : loop;
    const target = targetOf(route);
    this.report({
      ...{ code: 'loop-without-limit', pointer: `${placed.pointer}/${member}` },
      message: `the loop of ${shown.join(', ')} has no limit of its own, so that only max_iterations ends it: set max_visits of ${target}, or write { "to": "${target}", "max_visits": 3 }`,
    });
  }
}
