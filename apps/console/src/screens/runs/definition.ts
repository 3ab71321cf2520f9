type Route = string | Readonly<{ to: string; max_visits?: number; on_limit?: string }>;

/** The members of a step that the graph shows, as a definition has them. */
export type Step = Readonly<{
  id: string;
  type: 'agent' | 'approval' | 'condition' | 'transform' | 'parallel';
  name?: string;
  agent?: string;
  message?: string;
  condition?: string;
  when?: string;
  optional?: boolean;
  max_retries?: number;
  next?: Route;
  on_approve?: Route;
  on_reject?: Route;
  then?: Route;
  else?: Route;
  on_error?: Route;
  on_limit?: Route;
  steps?: readonly Step[];
}>;

export type Definition = Readonly<{ id: string; parallel?: boolean; steps: readonly Step[] }>;

/** A way out of a step. `isRegular`: not after a failure, a skip or a limit. */
export type Exit = Readonly<{ label: string; route: Route | undefined; isRegular: boolean }>;

export function targetOf(route: Route): string {
  return typeof route === 'string' ? route : route.to;
}

/** Every exit of a step: those of its type, and those after a skip, a failure or a limit. */
export function exitsOf(step: Step): readonly Exit[] {
  const exits = [...regularExits(step), ...skipExits(step), ...errorExits(step)];
  const limits = exits.flatMap(({ label, route }) =>
    typeof route === 'object' && route.on_limit !== undefined
      ? [{ label: `${label} limit`.trim(), route: route.on_limit, isRegular: false }]
      : [],
  );
  const ofStep = step.on_limit === undefined ? [] : [other('limit', step.on_limit)];
  return [...exits, ...limits, ...ofStep];
}

/** All steps with those within parallel steps. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...allSteps(step.steps ?? [])]);
}

/** A short description of a step. */
export function captionOf({ type, agent, message, condition }: Step): string {
  return agent ?? message ?? condition ?? type;
}

function regularExits(step: Step): readonly Exit[] {
  const { type, next } = step;
  if (type === 'approval')
    return [regular('approve', step.on_approve ?? next), regular('reject', step.on_reject)];
  if (type === 'condition')
    return [regular('then', step.then ?? next), regular('else', step.else ?? next)];
  return [regular('', next)];
}

function skipExits({ type, when, next, on_approve }: Step): readonly Exit[] {
  if (when === undefined) return [];
  return [other('skipped', type === 'approval' ? (next ?? on_approve) : next)];
}

function errorExits({ on_error, optional, next }: Step): readonly Exit[] {
  const isSkipped = on_error === undefined ? optional === true : on_error === 'skip';
  if (isSkipped) return [other('error', next)];
  return on_error === undefined ? [] : [other('error', on_error)];
}

function regular(label: string, route: Route | undefined): Exit {
  return { label, route, isRegular: true };
}

function other(label: string, route: Route | undefined): Exit {
  return { label, route, isRegular: false };
}
