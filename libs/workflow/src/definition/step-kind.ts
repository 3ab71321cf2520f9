import { type z } from 'zod';

import { type Expression } from '#expressions';

import { type Region, type Route } from './compiled-parts.js';
import { type RouteField } from './fields.schema.js';
import { type StepDefinition, type StepType, type StepTypes } from './step-types.js';

/** A member that names another step. A step may be left by it with its result, or without one. */
export type StepRoute = Readonly<{ member: string; route: RouteField; hasResult: boolean }>;

/** What a step is compiled with. */
export type CompileSite = Readonly<{
  expression: (member: string, source: string) => Expression;
  route: (field: RouteField | undefined) => Route | undefined;
  region: (steps: readonly StepDefinition[]) => Region;
}>;

/** A type of step, as definitions, validation and compilation see it. What a run does with it is for the interpreter. */
export type StepKind<Type extends StepType = StepType> = Readonly<{
  type: Type;
  /** Members beside those of all steps; `step` is the schema of a step of any type. */
  fields: (step: z.ZodType<StepDefinition>) => z.ZodRawShape;
  /** Whether somebody else carries out its attempts, so that retries, timeouts and recovery have an effect. */
  makesAttempts: boolean;
  /** The members that are expressions. */
  expressions: (step: StepDefinition<Type>) => Readonly<Record<string, string>>;
  /** The routes by which a run leaves the step after it succeeded. */
  routes: (step: StepDefinition<Type>) => readonly StepRoute[];
  /** Where a run goes if `when` is false. */
  bypass: (step: StepDefinition<Type>) => StepRoute | undefined;
  /** The steps within it, which are in its member `steps`. */
  children: (step: StepDefinition<Type>) => readonly StepDefinition[];
  compile: (step: StepDefinition<Type>, site: CompileSite) => StepTypes[Type]['work'];
}>;

/** The registered types of steps. */
export type StepKinds = { readonly [Type in StepType]: StepKind<Type> };
