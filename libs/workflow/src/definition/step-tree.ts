import { type RouteField } from './fields.schema.js';
import { type StepDefinition } from './step-types.js';
import { type StepExit, type StepKinds } from './step-kind.js';
import { kindOf, stepKinds } from './step-kinds.js';
import { skipKeyword } from './names.schema.js';

/** A step in the tree of all steps. Steps with the same parent form one region, which routes do not leave. */
export type PlacedStep = Readonly<{
  step: StepDefinition;
  /** RFC 6901, into the definition. */
  pointer: string;
  parent: PlacedStep | undefined;
}>;

/** All steps in the order of the definition, each before the steps within it. */
export function placeSteps(
  steps: readonly StepDefinition[],
  kinds: StepKinds,
  parent?: PlacedStep,
): readonly PlacedStep[] {
  return steps.flatMap((step, at) => {
    const placed = { step, pointer: `${parent?.pointer ?? ''}/steps/${at}`, parent };
    return [placed, ...placeSteps(kindOf(step, kinds).children(step), kinds, placed)];
  });
}

/** The number of steps of a definition, including steps within parallel steps. */
export function countSteps(
  { steps }: Readonly<{ steps: readonly StepDefinition[] }>,
  kinds: StepKinds = stepKinds,
): number {
  return placeSteps(steps, kinds).length;
}

/** An exit that leads to another step. */
export type StepRoute = StepExit & Readonly<{ route: RouteField }>;

/** Every exit of a step: those of its type, and those after a failure, a skip or a limit. */
export function exitsOf(step: StepDefinition, kinds: StepKinds): readonly StepExit[] {
  const kind = kindOf(step, kinds);
  const exits = [
    ...kind.exits(step),
    ...(step.when === undefined ? [] : [kind.bypass(step)]),
    ...errorExits(step),
  ];
  const limit: StepExit = { member: 'on_limit', route: step.on_limit, outcome: 'limit' };
  return [...exits, ...exits.flatMap(limitExits), ...(step.on_limit === undefined ? [] : [limit])];
}

export function routesOf(step: StepDefinition, kinds: StepKinds): readonly StepRoute[] {
  return exitsOf(step, kinds).flatMap(({ route, ...exit }) =>
    route === undefined ? [] : [{ ...exit, route }],
  );
}

/** Without such an exit, the run fails with the step. */
function errorExits({ on_error, optional, next }: StepDefinition): readonly StepExit[] {
  const isSkipped = on_error === undefined ? optional === true : on_error === skipKeyword;
  if (isSkipped) return [{ member: 'next', route: next, outcome: 'failure' }];
  return on_error === undefined
    ? []
    : [{ member: 'on_error', route: on_error, outcome: 'failure' }];
}

function limitExits({ member, route, outcome }: StepExit): readonly StepExit[] {
  if (typeof route !== 'object' || route.on_limit === undefined) return [];
  return [{ member: `${member}/on_limit`, route: route.on_limit, outcome }];
}
