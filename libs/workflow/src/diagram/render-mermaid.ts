import { type StepExit, type StepKinds, type StepShape } from '../definition/step-kind.js';
import { kindOf, stepKinds } from '../definition/step-kinds.js';
import { targetOf } from '../definition/step-routes.js';
import { type PlacedStep, exitsOf } from '../definition/step-tree.js';
import { type WorkflowDefinition } from '../definition/workflow.schema.js';
import { DefinitionModel } from '../definition/definition-model.js';

/** Longer texts are cut. */
const longestCaption = 48;

/** The brackets around the text of a node. */
const brackets: Readonly<Record<Exclude<StepShape, 'group'>, readonly [string, string]>> = {
  box: ['[', ']'],
  rhombus: ['{', '}'],
  hexagon: ['{{', '}}'],
  slanted: ['[/', '/]'],
};

/** A flowchart in the language of Mermaid. The definition must be without errors. */
export function renderMermaid(
  definition: WorkflowDefinition,
  kinds: StepKinds = stepKinds,
): string {
  return new Flowchart(new DefinitionModel(definition, kinds)).render();
}

class Flowchart {
  /** Ids of nodes are made, since those of steps may be words of Mermaid. */
  readonly #nodes: ReadonlyMap<string, string>;

  constructor(private readonly model: DefinitionModel) {
    this.#nodes = new Map(model.placed.map(({ step }, at) => [step.id, `s${at}`]));
  }

  render(): string {
    const { placed } = this.model;
    const { entries, steps } = this.model.regionWithin(undefined);
    const ends = steps.flatMap((each) => this.#ends(each));
    return [
      'flowchart TD',
      '  start([start])',
      ...this.#region(undefined, '  '),
      ...(ends.length > 0 ? ['  finish([end])'] : []),
      ...entries.map((entry) => `  start --> ${this.#node(entry)}`),
      ...placed.flatMap((each) => this.#routes(each)),
      ...ends,
      '',
    ].join('\n');
  }

  #region(parent: PlacedStep | undefined, indent: string): readonly string[] {
    return this.model.regionWithin(parent).steps.flatMap((placed) => this.#step(placed, indent));
  }

  #step(placed: PlacedStep, indent: string): readonly string[] {
    const { step } = placed;
    const { shape, caption } = kindOf(step, this.model.kinds);
    const node = this.#node(step.id);
    const text = textOf(step.name ?? step.id, caption(step));
    if (shape !== 'group') return [`${indent}${node}${brackets[shape].join(text)}`];
    const inner = this.#region(placed, `${indent}  `);
    return [`${indent}subgraph ${node}[${text}]`, ...inner, `${indent}end`];
  }

  #routes({ step }: PlacedStep): readonly string[] {
    const lines = exitsOf(step, this.model.kinds).flatMap((exit) =>
      exit.route === undefined
        ? []
        : [`  ${this.#node(step.id)} ${arrowOf(exit)} ${this.#node(targetOf(exit.route))}`],
    );
    return [...new Set(lines)];
  }

  #ends({ step }: PlacedStep): readonly string[] {
    const ends = exitsOf(step, this.model.kinds).filter(
      ({ route, outcome }) => route === undefined && outcome !== 'bypass',
    );
    return [...new Set(ends.map((exit) => `  ${this.#node(step.id)} ${arrowOf(exit)} finish`))];
  }

  #node(id: string): string {
    return this.#nodes.get(id) ?? 'unknown';
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
  return label.length === 0 ? arrow : `${arrow}|${quoted(label.join(', '))}|`;
}

/** `on_reject` is `reject`; the regular way has no label. */
function labelOf(member: string, outcome: StepExit['outcome']): string {
  if (member === 'next') return outcome === 'failure' ? 'error' : '';
  return member.replace('/on_limit', ' limit').replace(/^on_/, '');
}

function textOf(title: string, caption: string | undefined): string {
  if (caption === undefined) return quoted(title);
  const cut = caption.length > longestCaption ? `${caption.slice(0, longestCaption)}...` : caption;
  return quoted(title, cut);
}

/** Texts of Mermaid stand in quotes; characters with a meaning are written by their number. */
function quoted(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line
      .replaceAll(/[\r\n]+/g, ' ')
      .replaceAll(/["#&<>`\\|]/g, (each) => `#${each.charCodeAt(0)};`),
  );
  return `"${escaped.join('<br>')}"`;
}
