import { type Expression, ExpressionError } from '#expressions';

import { branchEntries } from './branches.js';
import { compileStep } from './compile-step.js';
import { type Region } from './compiled-parts.js';
import { type CompiledStep, type CompiledWorkflow } from './compiled-workflow.js';
import { InvalidWorkflowError } from './definition.error.js';
import { workflowDefaults } from './defaults.js';
import { frozenCopy } from './frozen-copy.js';
import { ExpressionReader } from './expression-reader.js';
import { resolveOutcomes } from './outcome-fields.js';
import { type StepDefinition } from './step-types.js';
import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';
import { targetOf } from './step-routes.js';
import { type PlacedStep, placeSteps, routesOf } from './step-tree.js';
import { type WorkflowDefinition } from './workflow.schema.js';

/**
 * Makes a definition ready to be interpreted. Throws {@link InvalidWorkflowError} if it cannot be run at all; a definition of
 * which validation reports no error compiles.
 */
export function compileWorkflow(
  definition: WorkflowDefinition,
  kinds: StepKinds = stepKinds,
): CompiledWorkflow {
  return frozenCopy(new WorkflowCompiler(definition, kinds).compile());
}

class WorkflowCompiler {
  readonly #placed: readonly PlacedStep[];
  readonly #stepOfName = new Map<string, string>();
  readonly #reader: ExpressionReader;

  constructor(
    private readonly definition: WorkflowDefinition,
    private readonly kinds: StepKinds,
  ) {
    this.#placed = placeSteps(definition.steps, kinds);
    for (const { step, pointer } of this.#placed) this.#name(step.id, step.id, `${pointer}/id`);
    for (const { step, pointer } of this.#placed)
      if (step.output !== undefined) this.#name(step.output, step.id, `${pointer}/output`);
    const initial = Object.keys(definition.initial_context ?? {});
    this.#reader = new ExpressionReader([...this.#stepOfName.keys(), ...initial]);
  }

  compile(): CompiledWorkflow {
    const { id, steps, output, parallel = false } = this.definition;
    this.#refuseUnknownTargets();
    return {
      ...this.#limits(),
      ...{ id, description: this.definition.description, isParallel: parallel },
      isEnabled: this.definition.enabled ?? true,
      visibleTo: this.definition.visible_to,
      initialContext: this.definition.initial_context ?? {},
      output: output === undefined ? undefined : this.#expression(output, '/output'),
      root: this.#region(steps, parallel),
      steps: Object.fromEntries(this.#placed.map((placed) => [placed.step.id, this.#step(placed)])),
      aliases: Object.fromEntries(
        this.#placed.flatMap(({ step }) =>
          step.output === undefined ? [] : [[step.output, step.id]],
        ),
      ),
    };
  }

  #limits() {
    const { max_iterations, max_duration_ms, max_errors } = this.definition;
    return {
      maxIterations: max_iterations ?? workflowDefaults.maxIterations,
      maxDurationMs: max_duration_ms ?? workflowDefaults.maxDurationMs,
      maxErrors: max_errors ?? workflowDefaults.maxErrors,
    };
  }

  #name(name: string, step: string, pointer: string): void {
    if (this.#stepOfName.has(name))
      throw new InvalidWorkflowError([{ pointer, detail: `another step has the name ${name}` }]);
    this.#stepOfName.set(name, step);
  }

  #refuseUnknownTargets(): void {
    for (const { step, pointer, parent } of this.#placed)
      for (const { member, route } of routesOf(step, this.kinds)) {
        const target = targetOf(route);
        const isNear = this.#placed.some(
          (other) => other.step.id === target && other.parent === parent,
        );
        if (isNear) continue;
        const detail = `leads to ${target}, which is no step beside this one`;
        throw new InvalidWorkflowError([{ pointer: `${pointer}/${member}`, detail }]);
      }
  }

  #step({ step, pointer, parent }: PlacedStep): CompiledStep {
    return compileStep(step, {
      ...{ kinds: this.kinds, parent: parent?.step.id },
      expression: (member, source) => this.#expression(source, `${pointer}/${member}`),
      region: (steps) => this.#region(steps, true),
    });
  }

  #region(steps: readonly StepDefinition[], isParallel: boolean): Region {
    const ids = steps.map(({ id }) => id);
    if (!isParallel) return { steps: ids, entries: ids.slice(0, 1) };
    const graph = new Map(
      steps.map((step) => [
        step.id,
        routesOf(step, this.kinds).map(({ route }) => targetOf(route)),
      ]),
    );
    return { steps: ids, entries: branchEntries(graph) };
  }

  #expression(source: string, pointer: string): Expression {
    try {
      return resolveOutcomes(this.#reader.read(source), (name) => this.#stepOfName.get(name));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new InvalidWorkflowError([{ pointer, detail: error.message }]);
    }
  }
}
