import { type Region, type Route } from '../definition/compiled-parts.js';
import { type CompiledStep, type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { type RouteGraph, reachableFrom } from '../definition/route-graph.js';

/**
 * The branches of a region: `parallel` is the parallel step around it, undefined at the top; `steps` are the steps of
 * each branch.
 */
export type Branches = Readonly<{
  parallel: string | undefined;
  branches: readonly Readonly<{ entry: string; steps: ReadonlySet<string> }>[];
}>;

const cache = new WeakMap<CompiledWorkflow, ReadonlyMap<string | undefined, Branches>>();

/** The branches within a parallel step, or at the top. */
export function branchesOf(workflow: CompiledWorkflow, parallel: string | undefined): Branches {
  const all = cache.get(workflow) ?? allBranches(workflow);
  cache.set(workflow, all);
  return all.get(parallel) ?? { parallel, branches: [] };
}

/** The entry of the branch that contains a step of the region. */
function branchWith(branches: Branches, stepId: string): string | undefined {
  return branches.branches.find(({ steps }) => steps.has(stepId))?.entry;
}

/** The parallel steps around a step, the outermost first, each with the entry of the branch that contains the step. */
export function chainOf(
  workflow: CompiledWorkflow,
  stepId: string,
): readonly Readonly<{ parallel: string | undefined; entry: string | undefined }>[] {
  const parent = workflow.steps[stepId]?.parent;
  const around = parent === undefined ? [] : chainOf(workflow, parent);
  const entry = branchWith(branchesOf(workflow, parent), stepId);
  return [...around, { parallel: parent, entry }];
}

function allBranches(workflow: CompiledWorkflow): ReadonlyMap<string | undefined, Branches> {
  const regions: (readonly [string | undefined, Region])[] = [[undefined, workflow.root]];
  for (const step of Object.values(workflow.steps))
    if (step.type === 'parallel') regions.push([step.id, step.children]);
  return new Map(
    regions.map(([parallel, region]) => [parallel, inRegion(workflow, parallel, region)]),
  );
}

function inRegion(
  workflow: CompiledWorkflow,
  parallel: string | undefined,
  { steps, entries }: Region,
): Branches {
  const graph: RouteGraph = new Map(
    steps.map((id) => [id, targetsOf(workflow.steps[id]).filter((to) => steps.includes(to))]),
  );
  const branches = entries.map((entry) => ({ entry, steps: reachableFrom(graph, [entry]) }));
  return { parallel, branches };
}

/** Every step that a route leads to from this one. */
function targetsOf(step: CompiledStep | undefined): readonly string[] {
  if (!step) return [];
  const { next, bypass, onError, onLimit } = step;
  const routes = [next, bypass, onError === 'skip' ? undefined : onError, ...ownRoutes(step)];
  return [...routes.flatMap(routeTargets), ...(onLimit === undefined ? [] : [onLimit])];
}

function ownRoutes(step: CompiledStep): readonly (Route | undefined)[] {
  if (step.type === 'condition') return [step.then, step.else];
  return step.type === 'approval' ? [step.onApprove, step.onReject] : [];
}

function routeTargets(route: Route | undefined): readonly string[] {
  if (!route) return [];
  return route.onLimit === undefined ? [route.to] : [route.to, route.onLimit];
}
