import { type DefinitionModel } from '../definition/definition-model.js';
import { type StepExit, type StepShape } from '../definition/step-kind.js';
import { kindOf } from '../definition/step-kinds.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep, exitsOf } from '../definition/step-tree.js';
import { mermaidText } from './mermaid-text.js';

/** Longer texts are truncated. */
const longestLine = 48;

/** The brackets around the text of a node. */
const brackets: Readonly<Record<Exclude<StepShape, 'group'>, readonly [string, string]>> = {
  box: ['[', ']'],
  rhombus: ['{', '}'],
  hexagon: ['{{', '}}'],
  slanted: ['[/', '/]'],
};

/** Additional lines for nodes: below the text of the start, and below the texts of steps by their ids. */
type NodeLines = Readonly<{
  start: readonly string[];
  steps: ReadonlyMap<string, readonly string[]>;
}>;

const noLines: NodeLines = { start: [], steps: new Map() };

/** A definition as a Mermaid flowchart. */
export class Flowchart {
  /** Generated ids of nodes, since ids of steps may be Mermaid keywords. */
  readonly #nodes: ReadonlyMap<string, string>;

  constructor(
    private readonly model: DefinitionModel,
    private readonly more: NodeLines = noLines,
  ) {
    this.#nodes = new Map(model.placed.map(({ step }, at) => [step.id, `s${at}`]));
  }

  lines(): readonly string[] {
    const { placed } = this.model;
    const { entries, steps } = this.model.regionWithin(undefined);
    const ends = steps.flatMap((each) => this.#ends(each));
    return [
      'flowchart TD',
      `  start([${this.#startText()}])`,
      ...this.#region(undefined, '  '),
      ...(ends.length > 0 ? ['  finish([end])'] : []),
      ...entries.map((entry) => `  start --> ${this.node(entry)}`),
      ...placed.flatMap((each) => this.#routes(each)),
      ...ends,
    ];
  }

  /** The id of the node of a step. */
  node(stepId: string): string {
    return this.#nodes.get(stepId) ?? 'unknown';
  }

  #startText(): string {
    const { start } = this.more;
    return start.length === 0 ? 'start' : mermaidText(...['start', ...start].map(cut));
  }

  #region(parent: PlacedStep | undefined, indent: string): readonly string[] {
    return this.model.regionWithin(parent).steps.flatMap((placed) => this.#step(placed, indent));
  }

  #step(placed: PlacedStep, indent: string): readonly string[] {
    const { step } = placed;
    const { shape, caption } = kindOf(step, this.model.kinds);
    const node = this.node(step.id);
    const below = [caption(step) ?? [], this.more.steps.get(step.id) ?? []].flat();
    const text = mermaidText(step.name ?? step.id, ...below.map(cut));
    if (shape !== 'group') return [`${indent}${node}${brackets[shape].join(text)}`];
    const inner = this.#region(placed, `${indent}  `);
    return [`${indent}subgraph ${node}[${text}]`, ...inner, `${indent}end`];
  }

  #routes({ step }: PlacedStep): readonly string[] {
    const lines = exitsOf(step, this.model.kinds).flatMap((exit) =>
      exit.route === undefined
        ? []
        : [`  ${this.node(step.id)} ${arrowOf(exit)} ${this.node(targetOf(exit.route))}`],
    );
    return [...new Set(lines)];
  }

  #ends({ step }: PlacedStep): readonly string[] {
    const ends = exitsOf(step, this.model.kinds).filter(
      ({ route, outcome }) => route === undefined && outcome !== 'bypass',
    );
    return [...new Set(ends.map((exit) => `  ${this.node(step.id)} ${arrowOf(exit)} finish`))];
  }
}

function arrowOf({ member, route, outcome }: StepExit): string {
  const isRegular = outcome === 'success' || outcome === 'rejection';
  const arrow = isRegular ? '-->' : '-.->';
  const limit = typeof route === 'object' && route.max_visits !== undefined;
  const label = [
    outcome === 'bypass' ? 'skipped' : labelOf(member, outcome),
    limit ? `at most ${route.max_visits}` : '',
  ].filter((part) => part !== '');
  return label.length === 0 ? arrow : `${arrow}|${mermaidText(label.join(', '))}|`;
}

/** `on_reject` becomes `reject`; the regular exit has no label. */
function labelOf(member: string, outcome: StepExit['outcome']): string {
  if (member === 'next') return outcome === 'failure' ? 'error' : '';
  return member.replace('/on_limit', ' limit').replace(/^on_/, '');
}

function cut(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}...` : line;
}
