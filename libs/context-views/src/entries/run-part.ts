import {
  type Item,
  type RunFacts,
  type StepFacts,
  isActiveRun,
  isOpen,
  runFacts,
  stepFacts,
} from '#shared-context';

import { codeSpan } from './quoted-text.js';
import { type PartFacts } from './current-state-section.js';

/** How many steps that have not ended are named. */
const maxSteps = 10;

/** The progress of the active run of a context: an agent must know which steps are reserved, and what they wait for. */
export function runPart(items: readonly Item[]): readonly PartFacts[] {
  const item = items.find(({ kind }) => kind === 'run');
  const run = item && runFacts(item);
  if (!item || !isActiveRun(run)) return [];
  const open = items.flatMap((each) => openStep(each, run));
  const steps = open.slice(0, maxSteps).map(describe);
  const more = open.length > maxSteps ? [`${open.length - maxSteps} more`] : [];
  const where = [...steps, ...more].join('; ');
  const whole = `- run of ${codeSpan(run.definitionId)}: ${run.status}${where === '' ? '' : `; ${where}`}\n`;
  const { fromVersion: version } = item;
  return [{ ref: null, section: 'work', version, whole, brief: whole, pinned: true }];
}

function openStep({ kind, state }: Item, { runId }: RunFacts): readonly StepFacts[] {
  if (kind !== 'run-step') return [];
  const step = stepFacts({ state });
  return step.runId === runId && isOpen(step) ? [step] : [];
}

function describe({ path, status, agent, approval }: StepFacts): string {
  const name = codeSpan(path ?? '');
  if (approval) return `${name} waits for a person`;
  // prose-ignore: text of views, whose bytes are pinned
  if (agent === null) return `${name} is ${status === 'open' ? 'open' : 'going on'}`;
  return `${name} ${status === 'running' ? 'is carried out by' : 'waits for'} ${codeSpan(agent)}`;
}
