import { type Named } from '#context-views';
import { type JsonObject, type JsonValue } from '#event-sourcing';
import { valueAtPath } from '#expressions';
import {
  type ItemLookup,
  derivedFacts,
  outputValueKey,
  renderStepOutput,
  stepOutputKey,
} from '#shared-context';
import { type PlacedPath } from '#transformations';

import { objectsOf } from '../reading/documents.js';
import { Overlay } from '../transformations/overlay.js';

/** A context as somebody sees it: its document, its items, and the paths that values are derived for. */
export type SeenContext = Readonly<{
  document: JsonObject;
  current: ItemLookup;
  derived: readonly PlacedPath[];
}>;

type Names = ReadonlyMap<string, Named>;

const root = 'context';
/** What an agent is found to have before the output of a step of its name. */
const ofAgents: ReadonlySet<string> = new Set(['completed', 'status', 'outputs', 'inputs']);

/**
 * What templates name of a context. By the names of paths: `context.<step>`, `<agent>.outputs.<name>`,
 * `<agent>.inputs.<name>`, `global_context`, `project_metadata`; beside them every member of the document and the
 * document as a whole. Names that agents and steps have given themselves never stand in the place of others, but in
 * `context`, which is the steps'.
 */
export function namesOfContext(seen: SeenContext): Names {
  const { document } = seen;
  const placed = placedValues(seen);
  const given = givenNames(seen, placed);
  const fixed: (readonly [string, Named])[] = [
    ...Object.entries(document).map(([name, value]) => [name, theirs(value)] as const),
    ['document', theirs(document)],
    ['session_id', theirs(document['contextId'])],
    [
      'decisions',
      theirs(objectsOf(document['decisionHistory']).filter(({ live }) => live === true)),
    ],
    ['global_context', theirs(placed['global_context'])],
    ['project_metadata', theirs(placed['project_metadata'])],
  ];
  const members = new Map([...fixed, ...given]);
  const context: Named = { ...theirs(document['stepOutputs']), members };
  if (!given.has(root)) members.set(root, context);
  return new Map([...given, ...fixed, [root, context]]);
}

/**
 * The steps whose outputs are all that is named: `context.<step>` and what is in it. Undefined where anything else is,
 * also what may be an agent's.
 */
export function stepsNamed(named: readonly (readonly string[])[]): readonly string[] | undefined {
  const steps = named.map(([first, step, member]) =>
    first === root && !(member !== undefined && ofAgents.has(member)) ? step : undefined,
  );
  return steps.every((step) => step !== undefined) ? [...new Set(steps)] : undefined;
}

/** Undefined where one is none, and may be something else of the context. */
export function outputsOfSteps(steps: readonly string[], current: ItemLookup): Names | undefined {
  const outputs: [string, JsonValue][] = [];
  for (const step of steps) {
    const { kind, key } = stepOutputKey(step);
    const item = current(kind, key);
    if (!item) return undefined;
    outputs.push([step, renderStepOutput(item)['output'] ?? null]);
  }
  return new Map([[root, theirs(Object.fromEntries(outputs))]]);
}

function theirs(value: JsonValue | undefined): Named {
  return { value, isOwn: false };
}

/** Agents and steps; where one name is both, the step's output holds what the agent does not. */
function givenNames(seen: SeenContext, placed: JsonObject): Map<string, Named> {
  const steps = objectOf(seen.document['stepOutputs']);
  const agents = objectOf(seen.document['agents']);
  const derivedFor = new Set(
    seen.derived.flatMap(({ place }) => (place.kind === 'input' ? [place.agentId] : [])),
  );
  const names = new Set([...Object.keys(steps), ...Object.keys(agents), ...derivedFor]);
  return new Map(
    Array.from(names, (name) => {
      const output = valueAtPath(steps, [name]);
      const isAgent = Object.hasOwn(agents, name) || derivedFor.has(name);
      if (!isAgent) return [name, theirs(output)];
      const agent = agentNamed(name, seen, placed);
      const members = new Map(Object.entries(agent).map(([key, value]) => [key, theirs(value)]));
      return [name, { ...theirs(output ?? agent), members }];
    }),
  );
}

function agentNamed(agentId: string, { document, current }: SeenContext, placed: JsonObject) {
  const status = valueAtPath(document, ['agents', agentId, 'status']) ?? 'pending';
  const names = Object.keys(objectOf(valueAtPath(document, ['agents', agentId, 'outputs'])));
  const outputs = names.map((name) => {
    const { kind, key } = outputValueKey(agentId, name);
    return [name, current(kind, key)?.body ?? null] as const;
  });
  return {
    ...{ completed: status === 'completed', status },
    outputs: Object.fromEntries(outputs),
    inputs: valueAtPath(placed, [agentId, 'inputs']) ?? {},
  };
}

/** What was stated, and in its place what was derived for it: outer ones first. */
function placedValues({ document, current, derived }: SeenContext): JsonObject {
  const stated: JsonObject = {
    global_context: document['globalContext'] ?? {},
    project_metadata: document['metadata'] ?? {},
  };
  const ordered = derived.toSorted((left, right) => left.names.length - right.names.length);
  const overlay = new Overlay(stated);
  for (const { path, names } of ordered) {
    const item = current('derived', path);
    if (item && derivedFacts(item).problem === undefined)
      overlay.put(names, derivedFacts(item).value);
  }
  return objectOf(overlay.value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
