import { type RouteField } from './fields.schema.js';
import { type StepRoute } from './step-kind.js';

/** The routes of those members that a step has. */
export function routesWithResult(
  members: Readonly<Record<string, RouteField | undefined>>,
): readonly StepRoute[] {
  return Object.entries(members).flatMap(([member, route]) =>
    route === undefined ? [] : [{ member, route, hasResult: true }],
  );
}

/** The route by which a step is left without a result. */
export function routeWithoutResult(
  member: string,
  route: RouteField | undefined,
): StepRoute | undefined {
  return route === undefined ? undefined : { member, route, hasResult: false };
}

export function targetOf(route: RouteField): string {
  return typeof route === 'string' ? route : route.to;
}
