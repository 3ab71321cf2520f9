import { type Expression } from '#expressions';

import { type ErrorRoute, type Region, type Route } from './compiled-parts.js';
import { type CommonStep, type CompiledStep } from './compiled-workflow.js';
import { type RouteField } from './fields.schema.js';
import { skipKeyword } from './names.schema.js';
import { type StepDefinition } from './step-types.js';
import { type StepKinds } from './step-kind.js';
import { kindOf } from './step-kinds.js';
import { type PlacedStep } from './step-tree.js';

type CompileScope = Readonly<{
  kinds: StepKinds;
  expression: (member: string, source: string) => Expression;
  children: () => Region;
}>;

/** Applies the defaults of a step and compiles its expressions. */
export function compileStep({ step, parent }: PlacedStep, scope: CompileScope): CompiledStep {
  const kind = kindOf(step, scope.kinds);
  const work = kind.compile(step, { ...scope, route: compileRoute });
  const common: CommonStep = {
    id: step.id,
    name: step.name,
    parent: parent?.step.id,
    alias: step.output,
    when: step.when === undefined ? undefined : scope.expression('when', step.when),
    isOptional: step.optional ?? false,
    input: typeof step.input === 'string' ? [step.input] : (step.input ?? []),
    parameters: step.parameters ?? {},
    next: compileRoute(step.next),
    onError: compileErrorRoute(step),
    bypass: compileRoute(kind.bypass(step).route),
    maxVisits: step.max_visits,
    onLimit: step.on_limit,
  };
  // The kind of a step type compiles to the work of that type.
  return { ...common, ...work, type: step.type } as CompiledStep;
}

function compileRoute(field: RouteField): Route;
function compileRoute(field: RouteField | undefined): Route | undefined;
function compileRoute(field: RouteField | undefined): Route | undefined {
  if (field === undefined) return undefined;
  if (typeof field === 'string') return { to: field, maxVisits: undefined, onLimit: undefined };
  return { to: field.to, maxVisits: field.max_visits, onLimit: field.on_limit };
}

function compileErrorRoute({ on_error, optional }: StepDefinition): ErrorRoute | undefined {
  if (on_error === undefined) return optional === true ? skipKeyword : undefined;
  return on_error === skipKeyword ? skipKeyword : compileRoute(on_error);
}
