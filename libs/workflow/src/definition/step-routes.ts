import { type RouteField } from './fields.schema.js';
import { type ExitOutcome, type StepExit } from './step-kind.js';

type Members = Readonly<Record<string, RouteField | undefined>>;

/** An exit with the first of these members that the step has, or with the last one if it has none. */
export function exitBy(outcome: ExitOutcome, members: Members): StepExit {
  const routes = Object.entries(members);
  const [member, route] = routes.find(([, each]) => each !== undefined) ?? routes.at(-1) ?? [''];
  return { member, route, outcome };
}

export function targetOf(route: RouteField): string {
  return typeof route === 'string' ? route : route.to;
}
