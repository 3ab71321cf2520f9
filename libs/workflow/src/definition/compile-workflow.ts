import { type Expression, ExpressionError } from '#expressions';

import { compileStep } from './compile-step.js';
import { type Region } from './compiled-parts.js';
import { type CompiledStep, type CompiledWorkflow } from './compiled-workflow.js';
import { InvalidWorkflowError } from './definition.error.js';
import { DefinitionModel } from './definition-model.js';
import { workflowDefaults } from './defaults.js';
import { ExpressionReader } from './expression-reader.js';
import { frozenCopy } from './frozen-copy.js';
import { followLimits } from './limit-chain.js';
import { resolveOutcomes } from './outcome-fields.js';
import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';
import { targetOf } from './step-routes.js';
import { type PlacedStep } from './step-tree.js';
import { type WorkflowDefinition } from './workflow.schema.js';

/**
 * Compiles a definition for the interpreter. Throws {@link InvalidWorkflowError} if it cannot be run; a definition
 * without validation errors compiles.
 */
export function compileWorkflow(
  definition: WorkflowDefinition,
  kinds: StepKinds = stepKinds,
): CompiledWorkflow {
  return frozenCopy(new WorkflowCompiler(new DefinitionModel(definition, kinds)).compile());
}

class WorkflowCompiler {
  readonly #reader: ExpressionReader;

  constructor(private readonly model: DefinitionModel) {
    this.#reader = new ExpressionReader(model.names);
  }

  compile(): CompiledWorkflow {
    const { definition, placed } = this.model;
    this.#refuseRepeatedNames();
    this.#refuseUnknownTargets();
    this.#refuseEndlessLimits();
    return {
      id: definition.id,
      description: definition.description,
      ...limitsOf(definition),
      isParallel: definition.parallel ?? false,
      isEnabled: definition.enabled ?? true,
      visibleTo: definition.visible_to,
      initialContext: definition.initial_context ?? {},
      output: this.#output(definition),
      root: this.#regionWithin(undefined),
      steps: Object.fromEntries(placed.map((each) => [each.step.id, this.#step(each)])),
      aliases: Object.fromEntries(
        placed.flatMap(({ step }) => (step.output === undefined ? [] : [[step.output, step.id]])),
      ),
    };
  }

  #output({ output }: WorkflowDefinition): Expression | undefined {
    return output === undefined ? undefined : this.#expression(output, '/output');
  }

  #refuseRepeatedNames(): void {
    const known = new Set<string>();
    for (const { step, pointer } of this.model.placed)
      for (const name of step.output === undefined ? [step.id] : [step.id, step.output]) {
        if (known.has(name)) throw invalid(pointer, `another step has the name ${name}`);
        known.add(name);
      }
  }

  #refuseEndlessLimits(): void {
    for (const { step, pointer } of this.model.placed)
      if (followLimits(step.id, (id) => this.model.stepOfId(id)?.step).isEndless)
        throw invalid(`${pointer}/on_limit`, 'leads from limit to limit in a loop');
  }

  #refuseUnknownTargets(): void {
    for (const placed of this.model.placed)
      for (const { member, route } of this.model.routesOf(placed)) {
        const target = targetOf(route);
        const found = this.model.stepOfId(target);
        if (found && found.parent === placed.parent) continue;
        throw invalid(
          `${placed.pointer}/${member}`,
          `leads to ${target}, which is not a step at the same level`,
        );
      }
  }

  #step(placed: PlacedStep): CompiledStep {
    return compileStep(placed, {
      kinds: this.model.kinds,
      expression: (member, source) => this.#expression(source, `${placed.pointer}/${member}`),
      children: () => this.#regionWithin(placed),
    });
  }

  #regionWithin(parent: PlacedStep | undefined): Region {
    const region = this.model.regionWithin(parent);
    return { steps: region.steps.map(({ step }) => step.id), entries: region.entries };
  }

  #expression(source: string, pointer: string): Expression {
    try {
      const expression = this.#reader.read(source);
      return resolveOutcomes(expression, (name) => this.model.stepOfName(name)?.step.id);
    } catch (error) {
      if (error instanceof ExpressionError) throw invalid(pointer, error.message);
      throw error;
    }
  }
}

function limitsOf({ max_iterations, max_duration_ms, max_errors }: WorkflowDefinition) {
  return {
    maxIterations: max_iterations ?? workflowDefaults.maxIterations,
    maxDurationMs: max_duration_ms ?? workflowDefaults.maxDurationMs,
    maxErrors: max_errors ?? workflowDefaults.maxErrors,
  };
}

function invalid(pointer: string, detail: string): InvalidWorkflowError {
  return new InvalidWorkflowError([{ pointer, detail }]);
}
