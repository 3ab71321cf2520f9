import { type JsonObject } from '#event-sourcing';
import { type Expression } from '#expressions';

import { type ErrorRoute, type Region, type Route } from './compiled-parts.js';
import { type StepType, type StepTypes } from './step-types.js';

/** The compiled members that steps of all types have. */
export type CommonStep = Readonly<{
  id: string;
  name: string | undefined;
  /** The parallel step that contains it. */
  parent: string | undefined;
  when: Expression | undefined;
  /** The run does not fail with the step, and a parallel step succeeds without it. */
  isOptional: boolean;
  /** Names of steps, outputs or members of the initial context; the envelope has their values as `references`. */
  input: readonly string[];
  /** The second name of its result in the context, from `output`. */
  alias: string | undefined;
  parameters: JsonObject;
  next: Route | undefined;
  onError: ErrorRoute | undefined;
  /** The route if `when` is false. */
  bypass: Route | undefined;
  maxVisits: number | undefined;
  /** If undefined, the run fails at the limit. A chain of such steps never leads back to its beginning. */
  onLimit: string | undefined;
}>;

/** A compiled step: `type` determines its members besides those of all steps. */
export type CompiledStep<Type extends StepType = StepType> = {
  [Each in Type]: CommonStep & StepTypes[Each]['work'] & Readonly<{ type: Each }>;
}[Type];

/** A definition with all defaults applied and all expressions compiled. Frozen. */
export type CompiledWorkflow = Readonly<{
  id: string;
  description: string | undefined;
  maxIterations: number;
  /** Excludes the time that people take to decide. */
  maxDurationMs: number;
  maxErrors: number;
  isParallel: boolean;
  isEnabled: boolean;
  /** If undefined, everybody who may start runs may start this workflow. */
  visibleTo: readonly string[] | undefined;
  initialContext: JsonObject;
  /** If undefined, the output of a run is the output of its last step. */
  output: Expression | undefined;
  /** The steps outside all parallel steps. */
  root: Region;
  /** Every step by its id, including steps within parallel steps. */
  steps: Readonly<Record<string, CompiledStep>>;
  /** The step of each `output`. */
  aliases: Readonly<Record<string, string>>;
}>;
