import { type CommandRules } from '../command-rule.js';
import { type ItemLookup } from '../item.js';
import { isActiveRun } from './run.facts.js';
import { RunConflictError } from './run.errors.js';
import { findRun, findRunStep } from './run.item.js';

/** What a command to a run comes to is for the interpreter, which knows the run's definition. */
export const runRules: CommandRules<'AdvanceRun'> = {
  AdvanceRun: {
    reads: ({ interpretation }, known) => interpretation.reads(known),
    decide: ({ interpretation, at = 0 }, current) => interpretation.decide(current, at),
  },
};

/** Refuses what would pull the context away from under an active run. */
export function requireNoActiveRun(current: ItemLookup, refused: string): void {
  const run = findRun(current);
  if (!isActiveRun(run)) return;
  throw new RunConflictError(
    `run "${run.runId}" is ${run.status}, so that the context cannot be ${refused}: cancel the run first`,
  );
}

/** The steps of an active run are reserved: only attempts of the run write them. */
export function requireUnreserved(stepId: string, current: ItemLookup): void {
  const run = findRun(current);
  if (!isActiveRun(run) || !findRunStep(stepId, current)) return;
  throw new RunConflictError(
    `step "${stepId}" is of run "${run.runId}", which is ${run.status}: report by the attempt's token, or choose another step id`,
  );
}
