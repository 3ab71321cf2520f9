import {
  type AdvanceRun,
  type DecidedEvent,
  type ItemKey,
  type ItemLookup,
  derivedKey,
  findRun,
  findRunStep,
  frozenOutputsKey,
  runInputKey,
  runKey,
  runStepKey,
  stepKey,
  stepOutputKey,
} from '#shared-context';

import { type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { advance } from './advance.js';
import { branchesOf } from './branches-of.js';
import { type Circumstances, type RunCommand } from './run-command.js';
import { expressionsOf, namesRead } from './names-read.js';

/** Excludes the version, which is known only when the command is decided. */
type UnversionedCircumstances = Omit<Circumstances, 'version'>;

/** The context command that applies a run command. `workflow`: see {@link advance}. */
export function advanceCommand(
  workflow: CompiledWorkflow | undefined,
  command: RunCommand,
  circumstances: UnversionedCircumstances,
): AdvanceRun {
  return {
    type: 'AdvanceRun',
    data: { runId: circumstances.runId },
    interpretation: {
      reads: (loaded) => (workflow ? keysOf(workflow, command, loaded) : openStates(loaded)),
      decide: (current, version): readonly DecidedEvent[] =>
        advance(current, workflow, command, { ...circumstances, version }).events,
    },
  };
}

/** The keys that are known without a definition: the run, and the steps that have not ended. */
function openStates(known: ItemLookup): readonly ItemKey[] {
  return [runKey, ...(findRun(known)?.active ?? []).map(runStepKey)];
}

/** Commands that never cause the evaluation of an expression. */
const withoutValues: ReadonlySet<RunCommand['type']> = new Set(['claim', 'pause', 'cancel']);

/**
 * The keys of the items that deciding, and folding the decided events, may read. The definition bounds them, regardless
 * of the length of the run. `known`: the items that are loaded. If they include the states of the steps, the keys
 * include outputs that must be preserved for other branches.
 */
export function keysOf(
  workflow: CompiledWorkflow,
  command: RunCommand,
  known: ItemLookup,
): readonly ItemKey[] {
  const { states, values } = keysOfDefinition(workflow);
  if (withoutValues.has(command.type)) return states;
  const written = writtenSteps(workflow, command);
  const replaced = written.filter((stepId) => keepsOutputs(stepId, known));
  return [...states, ...values, ...written.map(stepKey), ...replaced.flatMap(outputKeys)];
}

type DefinitionKeys = Readonly<{
  /** The run and the states of its steps. */
  states: readonly ItemKey[];
  /** The keys of values that expressions read, which are loaded with their content. */
  values: readonly ItemKey[];
}>;

const keysByDefinition = new WeakMap<CompiledWorkflow, DefinitionKeys>();

function keysOfDefinition(workflow: CompiledWorkflow): DefinitionKeys {
  const cached = keysByDefinition.get(workflow);
  if (cached) return cached;
  const keys = {
    states: [runKey, ...Object.keys(workflow.steps).map(runStepKey)],
    values: valueKeys(workflow),
  };
  keysByDefinition.set(workflow, keys);
  return keys;
}

function valueKeys(workflow: CompiledWorkflow): readonly ItemKey[] {
  if (expressionsOf(workflow).length === 0) return [];
  const ofSteps = [...valuesRead(workflow)].flatMap(outputKeys);
  return [runInputKey, ...derivedPaths(workflow).map(derivedKey), ...ofSteps];
}

/** Whether a new output of the step replaces an earlier one that branches still read. */
function keepsOutputs(stepId: string, known: ItemLookup): boolean {
  const step = findRunStep(stepId, known);
  return (
    step !== undefined && step.frozen.length > 0 && step.results.some(({ hasOutput }) => hasOutput)
  );
}

function outputKeys(stepId: string): readonly ItemKey[] {
  return [stepOutputKey(stepId), frozenOutputsKey(stepId)];
}

/** The steps whose output may be stored: the step of a report, and steps of the interpreter. */
function writtenSteps({ steps }: CompiledWorkflow, command: RunCommand): readonly string[] {
  const transforms = Object.values(steps).filter(({ type }) => type === 'transform');
  const answered = command.type === 'answer' ? Object.values(steps) : [];
  const reported = 'stepId' in command ? [command.stepId] : [];
  return [...new Set([...transforms, ...answered].map(({ id }) => id).concat(reported))];
}

/** The steps whose values expressions read. The value of a parallel step is computed from the steps within it. */
function valuesRead(workflow: CompiledWorkflow): ReadonlySet<string> {
  const all = Object.keys(workflow.steps);
  const read = new Set<string>();
  for (const expression of expressionsOf(workflow)) {
    const { steps } = namesRead(expression);
    for (const name of steps === 'all' ? all : steps) add(workflow, name, read);
  }
  return read;
}

/** The paths of derived values that expressions read. */
function derivedPaths(workflow: CompiledWorkflow): readonly string[] {
  const paths = expressionsOf(workflow).flatMap((expression) => {
    const { derived } = namesRead(expression);
    return derived === 'all' ? [] : [...derived];
  });
  return [...new Set(paths)];
}

function add(workflow: CompiledWorkflow, name: string, read: Set<string>): void {
  const stepId = Object.hasOwn(workflow.aliases, name) ? workflow.aliases[name] : name;
  if (stepId === undefined || !Object.hasOwn(workflow.steps, stepId) || read.has(stepId)) return;
  read.add(stepId);
  for (const { steps } of branchesOf(workflow, stepId).branches)
    for (const child of steps) add(workflow, child, read);
}
