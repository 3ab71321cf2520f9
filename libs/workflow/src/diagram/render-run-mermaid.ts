import { DefinitionModel } from '../definition/definition-model.js';
import { type StepKinds } from '../definition/step-kind.js';
import { stepKinds } from '../definition/step-kinds.js';
import { type WorkflowDefinition } from '../definition/workflow.schema.js';
import { Flowchart } from './flowchart.js';
import { mermaidText } from './mermaid-text.js';
import { type ActiveVisit, type EndedVisit, type RunSnapshot } from './run-snapshot.js';

const styleNames = ['completed', 'running', 'waiting', 'asking', 'failed', 'skipped'] as const;
type Style = (typeof styleNames)[number];

/** The text has its own color, so that it is readable on light and on dark pages. */
const styles: Readonly<Record<Style, Readonly<{ css: string; caption: string }>>> = {
  completed: {
    css: 'fill:#d3f9d8,stroke:#2b8a3e,color:#0b2e13',
    caption: 'completed or approved',
  },
  running: { css: 'fill:#d0ebff,stroke:#1864ab,color:#0b2545', caption: 'running' },
  waiting: { css: 'fill:#fff3bf,stroke:#b35c00,color:#3d2a00', caption: 'waits for a worker' },
  asking: { css: 'fill:#f3d9fa,stroke:#862e9c,color:#3b0a45', caption: 'waits for a person' },
  failed: { css: 'fill:#ffe3e3,stroke:#c92a2a,color:#4a0c0c', caption: 'failed or rejected' },
  skipped: {
    css: 'fill:#e9ecef,stroke:#868e96,color:#343a40,stroke-dasharray:4 3',
    caption: 'skipped or cancelled',
  },
};

/** The style and the lines of a step's node. */
type StepState = Readonly<{ style: Style; lines: readonly string[] }>;

/**
 * The flowchart of a definition with the state of a run: the outcome of each step or what it waits for, with visit and
 * attempt, and a legend of the colors. The definition must be the one that the run was started with.
 */
export function renderRunMermaid(
  definition: WorkflowDefinition,
  run: RunSnapshot,
  kinds: StepKinds = stepKinds,
): string {
  const model = new DefinitionModel(definition, kinds);
  const states = statesOf(run);
  const chart = new Flowchart(model, {
    start: [run.status, ...(run.reason ? [run.reason] : [])],
    steps: new Map([...states].map(([stepId, { lines }]) => [stepId, lines])),
  });
  const nodes = (style: Style) =>
    model.placed
      .filter(({ step }) => states.get(step.id)?.style === style)
      .map(({ step }) => chart.node(step.id));
  const used = styleNames.filter((style) => nodes(style).length > 0);
  return [
    ...chart.lines(),
    ...legendOf(used),
    ...used.map((style) => `  classDef ${style} ${styles[style].css}`),
    ...used.map((style) => `  class ${[...nodes(style), legendNode(style)].join(',')} ${style}`),
    '',
  ].join('\n');
}

/** An active visit replaces the result of an earlier one. */
function statesOf({ active, results }: RunSnapshot): ReadonlyMap<string, StepState> {
  return new Map([
    ...results.map((visit) => [visit.stepId, endedState(visit)] as const),
    ...active.map((visit) => [visit.stepId, activeState(visit)] as const),
  ]);
}

const styleByOutcome: Readonly<Record<string, Style>> = {
  failed: 'failed',
  rejected: 'failed',
  skipped: 'skipped',
  cancelled: 'skipped',
};

function endedState({ visit, attempts, outcome, error }: EndedVisit): StepState {
  const style = styleByOutcome[outcome] ?? 'completed';
  const line = [outcome, ...countsOf(visit, attempts)].join(', ');
  return { style, lines: [line, ...(error ? [error] : [])] };
}

function activeState(active: ActiveVisit): StepState {
  const { style, text } = progressOf(active);
  return { style, lines: [[text, ...countsOf(active.visit, active.attempt)].join(', ')] };
}

function progressOf({ status, agent, worker }: ActiveVisit): { style: Style; text: string } {
  if (status === 'asking') return { style: 'asking', text: 'waits for a person' };
  if (status === 'doubt') return { style: 'asking', text: 'in doubt, waits for a person' };
  // The interpreter will continue a scheduled step without an agent.
  if (status === 'scheduled' && agent) return { style: 'waiting', text: `waits for ${agent}` };
  const by = status === 'running' ? (worker ?? agent) : undefined;
  return { style: 'running', text: by ? `running by ${by}` : 'running' };
}

/** Omits the first visit and the first attempt. */
function countsOf(visit: number, attempt: number): readonly string[] {
  return [...(visit > 1 ? [`visit ${visit}`] : []), ...(attempt > 1 ? [`attempt ${attempt}`] : [])];
}

function legendOf(used: readonly Style[]): readonly string[] {
  if (used.length === 0) return [];
  const nodes = used.map(
    (style) => `    ${legendNode(style)}[${mermaidText(styles[style].caption)}]`,
  );
  return ['  subgraph legend["legend"]', ...nodes, '  end'];
}

function legendNode(style: Style): string {
  return `l${styleNames.indexOf(style)}`;
}
