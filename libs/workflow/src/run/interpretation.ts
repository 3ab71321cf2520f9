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
import { type Circumstances, type Happening } from './happening.js';
import { expressionsOf, namesRead } from './names-read.js';

/** The version is only known when the command is decided. */
type StatedCircumstances = Omit<Circumstances, 'version'>;

/** Something that happened to a run, as a command to its context. `workflow`: see {@link advance}. */
export function advanceCommand(
  workflow: CompiledWorkflow | undefined,
  happening: Happening,
  given: StatedCircumstances,
): AdvanceRun {
  return {
    type: 'AdvanceRun',
    data: { runId: given.runId },
    interpretation: {
      reads: (known) => (workflow ? keysOf(workflow, happening, known) : openStates(known)),
      decide: (current, version): readonly DecidedEvent[] =>
        advance(current, workflow, happening, { ...given, version }).events,
    },
  };
}

/** What is known of a run without its definition: itself, and the steps that have not ended. */
function openStates(known: ItemLookup): readonly ItemKey[] {
  return [runKey, ...(findRun(known)?.active ?? []).map(runStepKey)];
}

/** Happenings that never lead to the evaluation of an expression. */
const withoutValues: ReadonlySet<Happening['type']> = new Set(['claim', 'pause', 'cancel']);

/**
 * The keys of the items that deciding, and folding the decided events, may read. The definition bounds them, however long the run is.
 * `known`: what is loaded already. Once it has the states of the steps, the outputs that have to be kept for other branches are included.
 */
export function keysOf(
  workflow: CompiledWorkflow,
  happening: Happening,
  known: ItemLookup,
): readonly ItemKey[] {
  const { states, values } = keysOfDefinition(workflow);
  if (withoutValues.has(happening.type)) return states;
  const written = writtenSteps(workflow, happening);
  const replaced = written.filter((stepId) => keepsOutputs(stepId, known));
  return [...states, ...values, ...written.map(stepKey), ...replaced.flatMap(outputKeys)];
}

type DefinitionKeys = Readonly<{
  /** The run and the states of its steps. */
  states: readonly ItemKey[];
  /** The keys of what expressions read, which are loaded with their content. */
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

/** Whether a new output of the step leaves an earlier one that branches still read. */
function keepsOutputs(stepId: string, known: ItemLookup): boolean {
  const step = findRunStep(stepId, known);
  return (
    step !== undefined && step.frozen.length > 0 && step.results.some(({ hasOutput }) => hasOutput)
  );
}

function outputKeys(stepId: string): readonly ItemKey[] {
  return [stepOutputKey(stepId), frozenOutputsKey(stepId)];
}

/** The steps of which an output may be stored: the one that is reported about, and those of the interpreter itself. */
function writtenSteps({ steps }: CompiledWorkflow, happening: Happening): readonly string[] {
  const transforms = Object.values(steps).filter(({ type }) => type === 'transform');
  const answered = happening.type === 'answer' ? Object.values(steps) : [];
  const reported = 'stepId' in happening ? [happening.stepId] : [];
  return [...new Set([...transforms, ...answered].map(({ id }) => id).concat(reported))];
}

/** The steps whose values expressions read; that of a parallel step is folded from the steps within it. */
function valuesRead(workflow: CompiledWorkflow): ReadonlySet<string> {
  const all = Object.keys(workflow.steps);
  const read = new Set<string>();
  for (const expression of expressionsOf(workflow)) {
    const { steps } = namesRead(expression);
    for (const name of steps === 'all' ? all : steps) add(workflow, name, read);
  }
  return read;
}

/** The paths at which expressions read derived values. */
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
