import { dataPathIn, formatDataPath } from '#event-sourcing';

type Rest = readonly string[];

/**
 * The target of a path into a context. `rest`: the names that lead into the value at this place.
 *
 *     <agent>.outputs.<name>...      the agent's latest output of that name
 *     <agent>.inputs.<name>...       a value that transformations derived for the agent
 *     context.<step>...              the latest output of a step
 *     global_context.<member>...
 *     project_metadata.<member>...   metadata of the context
 */
export type ContextPlace = Readonly<
  | { kind: 'output'; agentId: string; name: string; rest: Rest }
  | { kind: 'input'; agentId: string; name: string; rest: Rest }
  | { kind: 'step'; stepId: string; rest: Rest }
  | { kind: 'global'; member: string; rest: Rest }
  | { kind: 'metadata'; member: string; rest: Rest }
>;

/** The reason why a path has no target: its first name is unknown, or it ends too early. */
type PlaceFault = 'unknown-root' | 'too-short';

const controlCharacter = /\p{Cc}/u;

/** First names of paths that are not names of agents. */
const partsOfContext: ReadonlyMap<string, (name: string, rest: Rest) => ContextPlace> = new Map([
  [
    'global_context',
    (member: string, rest: Rest): ContextPlace => ({ kind: 'global', member, rest }),
  ],
  [
    'project_metadata',
    (member: string, rest: Rest): ContextPlace => ({ kind: 'metadata', member, rest }),
  ],
  ['context', (stepId: string, rest: Rest): ContextPlace => ({ kind: 'step', stepId, rest })],
]);

/** Whether paths that begin with this name lead to a part of the context, and never to an agent of that name. */
export function isPartOfContext(name: string): boolean {
  return partsOfContext.has(name);
}

/** Whether a normalized path may name an item: no identifier contains control characters or lone surrogates. */
export function isPlacePath(path: string): boolean {
  return !controlCharacter.test(path) && path.isWellFormed();
}

/** The place that the names of a path lead to. */
export function contextPlace(names: readonly string[]): ContextPlace | PlaceFault {
  const [root = '', second, third] = names;
  const ofContext = partsOfContext.get(root);
  if (ofContext) return second === undefined ? 'too-short' : ofContext(second, names.slice(2));
  if (second !== 'outputs' && second !== 'inputs') return 'unknown-root';
  if (third === undefined) return 'too-short';
  const kind = second === 'outputs' ? 'output' : 'input';
  return { kind, agentId: root, name: third, rest: names.slice(3) };
}

/** The place that a path leads to; undefined if the text is not a path, or the path leads to no place of a context. */
export function placeOfPath(path: string | undefined): ContextPlace | undefined {
  const names = path === undefined ? undefined : dataPathIn(path);
  if (!names || !isPlacePath(formatDataPath(names))) return undefined;
  const place = contextPlace(names);
  return typeof place === 'string' ? undefined : place;
}

/** The names of the path to a place itself, without the names that lead into its value. */
export function placeNames(place: ContextPlace): readonly string[] {
  switch (place.kind) {
    case 'output':
      return [place.agentId, 'outputs', place.name];
    case 'input':
      return [place.agentId, 'inputs', place.name];
    case 'step':
      return ['context', place.stepId];
    case 'global':
      return ['global_context', place.member];
    case 'metadata':
      return ['project_metadata', place.member];
  }
}
