import { followLimits } from '../definition/limit-chain.js';
import { skipKeyword } from '../definition/names.schema.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep, type StepRoute } from '../definition/step-tree.js';
import { type DefinitionModel, type RegionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

/** A route from a step to a target; `pointer` locates the name of the target. */
type RouteTarget = Readonly<{
  model: DefinitionModel;
  placed: PlacedStep;
  target: string;
  pointer: string;
}>;

/** Checks that every route leads to a step of the same region, and that branches share no step. */
export function checkTargets(model: DefinitionModel, report: Report): void {
  for (const placed of model.placed)
    for (const route of model.routesOf(placed)) checkTarget(model, placed, route, report);
  for (const region of model.regions) if (region.isParallel) refuseMeetings(model, region, report);
}

function checkTarget(
  model: DefinitionModel,
  placed: PlacedStep,
  { member, route }: StepRoute,
  report: Report,
): void {
  const target = targetOf(route);
  const pointer = pointerOf(placed, member, route);
  const found = model.stepOfId(target);
  if (!found) return reportUnknown({ model, placed, target, pointer }, report);
  if (member.endsWith('on_limit')) checkLimit({ model, placed, target, pointer }, member, report);
  if (found.parent !== placed.parent)
    report({ code: 'target-elsewhere', pointer, message: elsewhere(placed, found) });
}

/** Checks that a run at a limit reaches a step that it may visit, or fails. */
function checkLimit(
  { model, placed, target, pointer }: RouteTarget,
  member: string,
  report: Report,
): void {
  const limited = limitedStep(placed, member);
  const find = (id: string) => model.stepOfId(id)?.step;
  const isEndless = member === 'on_limit' && followLimits(placed.step.id, find).isEndless;
  if (target !== limited && !isEndless) return;
  const message =
    target === limited
      ? `${target} is the step whose limit was reached: name another one`
      : `${target} leads back to ${placed.step.id} if both limits are reached: name another step`;
  report({ code: 'endless-limit', pointer, message });
}

/** The step with a limit of visits, or the step whose visits by one route are limited. */
function limitedStep({ step }: PlacedStep, member: string): string | undefined {
  if (member === 'on_limit') return step.id;
  // The member may be any route with a limit.
  const route: unknown = Reflect.get(step, member.slice(0, member.indexOf('/')));
  const target: unknown = typeof route === 'object' && route !== null && Reflect.get(route, 'to');
  return typeof target === 'string' ? target : undefined;
}

function pointerOf({ pointer }: PlacedStep, member: string, route: StepRoute['route']): string {
  return `${pointer}/${member}${typeof route === 'string' ? '' : '/to'}`;
}

function reportUnknown({ model, placed, target, pointer }: RouteTarget, report: Report): void {
  const siblings = model.placed.filter((each) => each.parent === placed.parent);
  const suggestion = suggest(
    target,
    siblings.map(({ step }) => step.id),
  );
  const hint =
    target === skipKeyword
      ? `; "${skipKeyword}" is for on_error only: leave the member out, or name a step`
      : didYouMean(suggestion);
  const message = `there is no step ${target} to go to${hint}`;
  report({ code: 'unknown-target', pointer, message, suggestion });
}

function elsewhere({ parent }: PlacedStep, found: PlacedStep): string {
  const target = found.step.id;
  if (found.parent && found.parent !== parent)
    return `${target} is within the parallel step ${found.parent.step.id}: go to that step, or move ${target} out of it`;
  return `${target} is outside of the parallel step ${parent?.step.id}, which its branches cannot leave: use next or on_error of ${parent?.step.id}`;
}

/** Branches join only at the end of a parallel step: a step that two branches lead to would run twice. */
function refuseMeetings(model: DefinitionModel, region: RegionModel, report: Report): void {
  const branchOf = branches(region);
  for (const placed of region.steps)
    for (const { member, route } of model.routesOf(placed)) {
      const own = branchOf.get(placed.step.id);
      const other = branchOf.get(targetOf(route));
      if (own === undefined || other === undefined || own === other) continue;
      report({
        code: 'branches-meet',
        pointer: pointerOf(placed, member, route),
        message: `${targetOf(route)} is in the branch of ${other} already: branches meet at the end of a parallel step only`,
      });
    }
}

/** The entry of the branch of each step; of the first branch if several lead to it. */
function branches({ entries, graph }: RegionModel): ReadonlyMap<string, string> {
  const branchOf = new Map<string, string>();
  for (const entry of entries) {
    const open = [entry];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (branchOf.has(id)) continue;
      branchOf.set(id, entry);
      open.push(...(graph.get(id) ?? []));
    }
  }
  return branchOf;
}
