import { type z } from 'zod';

import { type Expression } from '#expressions';

import { type Region, type Route } from './compiled-parts.js';
import { type RouteField } from './fields.schema.js';
import { type StepDefinition, type StepType, type StepTypes } from './step-types.js';

/** `bypass`: `when` is false; `limit`: the step has been visited as often as it may. */
export type ExitOutcome = 'success' | 'rejection' | 'failure' | 'bypass' | 'limit';

/** A way out of a step: the member that says where a run goes after an outcome. */
export type StepExit = Readonly<{
  member: string;
  /** Undefined: the run, or its branch, ends. */
  route: RouteField | undefined;
  outcome: ExitOutcome;
}>;

/** A member that contradicts another one, or does not do what its author may expect. */
export type StepFinding = Readonly<{
  code: 'contradictory-members' | 'no-effect' | 'rejection-ends-run';
  member: string;
  message: string;
}>;

/** How diagrams draw a step. `group`: as a box around the steps within it. */
export type StepShape = 'box' | 'rhombus' | 'hexagon' | 'slanted' | 'group';

/** What a step is compiled with. */
type CompileSite = Readonly<{
  expression: (member: string, source: string) => Expression;
  route: (field: RouteField | undefined) => Route | undefined;
  /** The steps within it. */
  children: () => Region;
}>;

/** A type of step for definitions, validation and compilation. The interpreter decides what a run does with it. */
export type StepKind<Type extends StepType = StepType> = Readonly<{
  type: Type;
  /** Members beside those of all steps; `step` is the schema of a step of any type. */
  fields: (step: z.ZodType<StepDefinition>) => z.ZodRawShape;
  /** The names of those members. */
  ownMembers: readonly string[];
  /** Whether workers carry out its attempts, so that retries, timeouts and recovery have an effect. */
  makesAttempts: boolean;
  /** Whether the definition does not determine which members the result has. */
  hasOpenResult: boolean;
  /** The members that are expressions. */
  expressions: (step: StepDefinition<Type>) => Readonly<Record<string, string>>;
  /** The ways out after the step has done its work. */
  exits: (step: StepDefinition<Type>) => readonly StepExit[];
  /** The way out if `when` is false. */
  bypass: (step: StepDefinition<Type>) => StepExit;
  /** The steps within it, which are in its member `steps`. */
  children: (step: StepDefinition<Type>) => readonly StepDefinition[];
  /** Whether its success means that all steps within it have succeeded. */
  needsChildren: (step: StepDefinition<Type>) => boolean;
  /** What is wrong with the members of its type, beyond their schema. */
  check: (step: StepDefinition<Type>) => readonly StepFinding[];
  shape: StepShape;
  /** What diagrams write below its id. */
  caption: (step: StepDefinition<Type>) => string | undefined;
  /** The agents that it names, by the members that name them. */
  agents: (step: StepDefinition<Type>) => Readonly<Record<string, string>>;
  compile: (step: StepDefinition<Type>, site: CompileSite) => StepTypes[Type]['work'];
}>;

/** The registered types of steps. */
export type StepKinds = { readonly [Type in StepType]: StepKind<Type> };
