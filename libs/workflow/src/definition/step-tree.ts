import { type RouteField } from './fields.schema.js';
import { type StepDefinition } from './step-types.js';
import { type StepKinds, type StepRoute } from './step-kind.js';
import { kindOf } from './step-kinds.js';
import { skipKeyword } from './names.schema.js';

/** A step in the tree of all steps. Steps with the same parent are one region: routes lead within it. */
export type PlacedStep = Readonly<{
  step: StepDefinition;
  /** RFC 6901, into the definition. */
  pointer: string;
  parent: PlacedStep | undefined;
}>;

/** All steps in the order of the definition, each before those within it. */
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

/** Every way out of a step: those of its type, and those by which it is left after a failure, a skip or a limit. */
export function routesOf(step: StepDefinition, kinds: StepKinds): readonly StepRoute[] {
  const kind = kindOf(step, kinds);
  const bypass = kind.bypass(step);
  const regular = [
    ...kind.routes(step),
    ...(isSkippable(step) && bypass ? [bypass] : []),
    ...errorRoute(step.on_error),
  ];
  return [...regular, ...regular.flatMap(limitRoute), ...limitRouteOf('', step.on_limit)];
}

/** Whether a run may go past the step without a result. */
function isSkippable({ when, optional, on_error }: StepDefinition): boolean {
  return (
    when !== undefined || (on_error === undefined ? optional === true : on_error === skipKeyword)
  );
}

function errorRoute(route: RouteField | undefined): readonly StepRoute[] {
  if (route === undefined || route === skipKeyword) return [];
  return [{ member: 'on_error', route, hasResult: false }];
}

function limitRoute({ member, route }: StepRoute): readonly StepRoute[] {
  return typeof route === 'string' ? [] : limitRouteOf(`${member}/`, route.on_limit);
}

function limitRouteOf(within: string, target: string | undefined): readonly StepRoute[] {
  if (target === undefined) return [];
  return [{ member: `${within}on_limit`, route: target, hasResult: false }];
}
