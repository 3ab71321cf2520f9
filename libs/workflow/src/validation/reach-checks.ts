import { reachableFrom } from '../definition/route-graph.js';
import { type PlacedStep, exitsOf } from '../definition/step-tree.js';
import { type DefinitionModel, type RegionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';

/** Checks that routes lead to every step. */
export function checkReach(model: DefinitionModel, report: Report): void {
  for (const region of model.regions) {
    const reached = reachableFrom(region.graph, region.entries);
    for (const [at, placed] of region.steps.entries())
      if (!reached.has(placed.step.id))
        report({
          code: 'unreachable-step',
          pointer: placed.pointer,
          message: messageFor(model, region, at),
        });
  }
}

function messageFor(model: DefinitionModel, { steps, graph }: RegionModel, at: number): string {
  const { id = '' } = steps[at]?.step ?? {};
  const before = steps[at - 1];
  const leading = [...graph].filter(([from, to]) => from !== id && to.includes(id));
  if (leading.length > 0)
    return `${id} is reached only from ${leading.map(([from]) => from).join(', ')}, which the first step does not lead to`;
  const remedy =
    before && mayEnd(model, before)
      ? `add "next": "${id}" to ${before.step.id}`
      : `name ${id} in a route, or remove it`;
  return `no route leads to ${id}, and steps do not follow each other by their position: ${remedy}`;
}

/** Whether a run may end with the success of a step. */
function mayEnd({ kinds }: DefinitionModel, { step }: PlacedStep): boolean {
  return exitsOf(step, kinds).some(
    ({ route, outcome }) => route === undefined && outcome === 'success',
  );
}
