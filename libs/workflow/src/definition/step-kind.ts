import { type z } from 'zod';

import { type Expression } from '#expressions';

import { type Region, type Route } from './compiled-parts.js';
import { type RouteField } from './fields.schema.js';
import { type StepDefinition, type StepType, type StepTypes } from './step-types.js';

/** `bypass`: `when` is false; `limit`: the step has reached its maximum of visits. */
export type ExitOutcome = 'success' | 'rejection' | 'failure' | 'bypass' | 'limit';

/** An exit of a step: the member with the route for an outcome. */
export type StepExit = Readonly<{
  member: string;
  /** If undefined, the run or its branch ends. */
  route: RouteField | undefined;
  outcome: ExitOutcome;
}>;

/** A member that contradicts another one, or that has no effect or an unexpected one. */
export type StepFinding = Readonly<{
  code: 'contradictory-members' | 'no-effect' | 'rejection-ends-run';
  member: string;
  message: string;
}>;

/** How diagrams draw a step. `group`: as a box around the steps within it. */
export type StepShape = 'box' | 'rhombus' | 'hexagon' | 'slanted' | 'group';

/** Helpers for the compilation of a step. */
type CompileScope = Readonly<{
  expression: (member: string, source: string) => Expression;
  route: (field: RouteField | undefined) => Route | undefined;
  /** The region within the step. */
  children: () => Region;
}>;

/** A step type for definitions, validation and compilation. The interpreter defines its execution. */
export type StepKind<Type extends StepType = StepType> = Readonly<{
  type: Type;
  /** Members besides those of all steps; `step` is the schema of a step of any type. */
  fields: (step: z.ZodType<StepDefinition>) => z.ZodRawShape;
  /** The names of those members. */
  ownMembers: readonly string[];
  /** Whether workers carry out its attempts, so that retries, timeouts and recovery have an effect. */
  makesAttempts: boolean;
  /** Whether the result may have members that the definition does not determine. */
  hasOpenResult: boolean;
  /** The members that are expressions. */
  expressions: (step: StepDefinition<Type>) => Readonly<Record<string, string>>;
  /** The exits after the step has done its work. */
  exits: (step: StepDefinition<Type>) => readonly StepExit[];
  /** The exit if `when` is false. */
  bypass: (step: StepDefinition<Type>) => StepExit;
  /** The steps within it, from its member `steps`. */
  children: (step: StepDefinition<Type>) => readonly StepDefinition[];
  /** Whether its success implies that all steps within it have succeeded. */
  needsChildren: (step: StepDefinition<Type>) => boolean;
  /** Faults of the members of this type that its schema does not find. */
  check: (step: StepDefinition<Type>) => readonly StepFinding[];
  shape: StepShape;
  /** The text that diagrams show below its id. */
  caption: (step: StepDefinition<Type>) => string | undefined;
  /** The agents that it names, by member. */
  agents: (step: StepDefinition<Type>) => Readonly<Record<string, string>>;
  compile: (step: StepDefinition<Type>, scope: CompileScope) => StepTypes[Type]['work'];
}>;

/** The registered types of steps. */
export type StepKinds = { readonly [Type in StepType]: StepKind<Type> };
