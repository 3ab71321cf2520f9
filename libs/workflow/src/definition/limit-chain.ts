import { type StepDefinition } from './step-types.js';

type FindStep = (id: string) => StepDefinition | undefined;

/** The step that a run goes to instead of another one once all limits of visits are used up. */
type LimitChain = Readonly<{
  /** Undefined: the run fails. */
  end: string | undefined;
  /** Whether `on_limit` leads from one of them to the next without end. */
  isEndless: boolean;
}>;

export function followLimits(id: string, find: FindStep): LimitChain {
  const passed = new Set<string>();
  let end: string | undefined = id;
  while (end !== undefined) {
    if (passed.has(end)) return { end: undefined, isEndless: true };
    passed.add(end);
    const step = find(end);
    if (step?.max_visits === undefined) break;
    end = step.on_limit;
  }
  return { end, isEndless: false };
}
