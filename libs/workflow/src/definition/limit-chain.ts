import { type StepDefinition } from './step-types.js';

type FindStep = (id: string) => StepDefinition | undefined;

/** The step at which a chain of `on_limit` ends if all limits of visits are reached. */
type LimitChain = Readonly<{
  /** If undefined, the run fails. */
  end: string | undefined;
  /** Whether the chain is a cycle of `on_limit` members. */
  isEndless: boolean;
}>;

export function followLimits(id: string, find: FindStep): LimitChain {
  const visited = new Set<string>();
  let end: string | undefined = id;
  while (end !== undefined) {
    if (visited.has(end)) return { end: undefined, isEndless: true };
    visited.add(end);
    const step = find(end);
    if (step?.max_visits === undefined) break;
    end = step.on_limit;
  }
  return { end, isEndless: false };
}
