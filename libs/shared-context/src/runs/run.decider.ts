import { type CommandRules } from '../command-rule.js';
import { type ItemLookup } from '../item.js';
import { isActiveRun } from './run.facts.js';
import { RunConflictError } from './run.errors.js';
import { findRun, findRunStep } from './run.item.js';

/** The interpreter, which has the definition of the run, decides the commands. */
export const runRules: CommandRules<'AdvanceRun'> = {
  AdvanceRun: {
    reads: ({ interpretation }, known) => interpretation.reads(known),
    decide: ({ interpretation, at = 0 }, current) => interpretation.decide(current, at),
  },
};

/** Refuses commands that would close or replace the context during an active run. */
export function requireNoActiveRun(current: ItemLookup, refused: string): void {
  const run = findRun(current);
  if (!isActiveRun(run)) return;
  throw new RunConflictError(
    `run "${run.runId}" is ${run.status}, so that the context cannot be ${refused}: cancel the run first`,
  );
}

/** The steps of an active run are reserved: only attempts of the run may write to them. */
export function requireUnreserved(stepId: string, current: ItemLookup): void {
  const run = findRun(current);
  if (!isActiveRun(run) || !findRunStep(stepId, current)) return;
  throw new RunConflictError(
    `step "${stepId}" belongs to run "${run.runId}", which is ${run.status}: report with the token of the attempt, or choose another step id`,
  );
}
