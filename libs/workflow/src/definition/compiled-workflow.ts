import { type JsonObject } from '#event-sourcing';
import { type Expression } from '#expressions';

import { type ErrorRoute, type Region, type Route } from './compiled-parts.js';
import { type StepType, type StepTypes } from './step-types.js';

/** What steps of all types are compiled to. */
export type CommonStep = Readonly<{
  id: string;
  name: string | undefined;
  /** The parallel step that it is in. */
  parent: string | undefined;
  when: Expression | undefined;
  /** A run does not fail with the step, and a parallel step succeeds without it. */
  isOptional: boolean;
  /** Names of steps, outputs or members of the initial context; their values are `references` of the envelope. */
  input: readonly string[];
  /** The second name of its result in the context, from `output`. */
  alias: string | undefined;
  parameters: JsonObject;
  next: Route | undefined;
  onError: ErrorRoute | undefined;
  /** Where a run goes if `when` is false. */
  bypass: Route | undefined;
  maxVisits: number | undefined;
  /** Undefined: the run fails. No chain of such steps leads back to its beginning. */
  onLimit: string | undefined;
}>;

/** A step that is ready to be interpreted: `type` says what it holds beside the members of all steps. */
export type CompiledStep<Type extends StepType = StepType> = {
  [Each in Type]: CommonStep & StepTypes[Each]['work'] & Readonly<{ type: Each }>;
}[Type];

/** A definition with all defaults applied and all expressions read. Frozen. */
export type CompiledWorkflow = Readonly<{
  id: string;
  description: string | undefined;
  maxIterations: number;
  /** Without the time that people take to decide. */
  maxDurationMs: number;
  maxErrors: number;
  isParallel: boolean;
  isEnabled: boolean;
  /** Undefined if everybody who may start runs may start this one. */
  visibleTo: readonly string[] | undefined;
  initialContext: JsonObject;
  /** Undefined: the output of a run is that of its last step. */
  output: Expression | undefined;
  /** The steps outside of all parallel steps. */
  root: Region;
  /** Every step by its id, those within parallel steps included. */
  steps: Readonly<Record<string, CompiledStep>>;
  /** The step of each `output`. */
  aliases: Readonly<Record<string, string>>;
}>;
