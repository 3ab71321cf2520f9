import { ExpressionError, parseDataPath } from '#expressions';

/**
 * Where a path over a context leads: `rest` goes on within what stands there.
 *
 *     <agent>.outputs.<name>...      the agent's latest output of that name
 *     <agent>.inputs.<name>...       what transformations have prepared for the agent
 *     context.<step>...              the latest output of a step
 *     global_context.<member>...
 *     project_metadata.<member>...   metadata of the context
 */
export type Place = Readonly<
  | { kind: 'output'; agentId: string; name: string; rest: readonly string[] }
  | { kind: 'input'; agentId: string; name: string; rest: readonly string[] }
  | { kind: 'step'; stepId: string; rest: readonly string[] }
  | { kind: 'global'; member: string; rest: readonly string[] }
  | { kind: 'metadata'; member: string; rest: readonly string[] }
>;

/** What a path names and the names it goes by. Throws {@link ExpressionError}. */
export function parsePlace(path: string): Readonly<{ place: Place; names: readonly string[] }> {
  const names = parseDataPath(path);
  return { place: placeOf(names, path), names };
}

/** Where results may be found: what agents and people state themselves is theirs. */
export function isDestination({ kind }: Place): boolean {
  return kind === 'input' || kind === 'global' || kind === 'metadata';
}

/** Whether one path leads to the other's place, into it or around it. */
export function overlap(left: readonly string[], right: readonly string[]): boolean {
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  return shorter.every((name, at) => name === longer[at]);
}

type Rest = readonly string[];

/** Roots that are no agents. */
const partsOfContext: ReadonlyMap<string, (name: string, rest: Rest) => Place> = new Map([
  ['global_context', (member: string, rest: Rest): Place => ({ kind: 'global', member, rest })],
  ['project_metadata', (member: string, rest: Rest): Place => ({ kind: 'metadata', member, rest })],
  ['context', (stepId: string, rest: Rest): Place => ({ kind: 'step', stepId, rest })],
]);

/** Whether paths that begin with this name lead to a part of the context, so that none leads to an agent of that name. */
export function isPartOfContext(name: string): boolean {
  return partsOfContext.has(name);
}

function placeOf(names: readonly string[], path: string): Place {
  const [root = '', second, third, ...rest] = names;
  const ofContext = partsOfContext.get(root);
  if (ofContext) return ofContext(required(second, path), names.slice(2));
  if (second !== 'outputs' && second !== 'inputs')
    throw new ExpressionError(
      'must begin with global_context, project_metadata, context, or an agent and its outputs or inputs, as in analyst.outputs.brief',
      0,
    );
  const kind = second === 'outputs' ? 'output' : 'input';
  return { kind, agentId: root, name: required(third, path), rest };
}

function required(name: string | undefined, path: string): string {
  if (name === undefined)
    throw new ExpressionError(
      'must be longer: add the name of one member, as in global_context.budget or analyst.outputs.brief',
      path.length,
    );
  return name;
}
