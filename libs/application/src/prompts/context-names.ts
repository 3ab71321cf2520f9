import { type NamedValue, valueIn } from '#context-views';
import {
  type JsonObject,
  type JsonValue,
  dataPathIn,
  formatDataPath,
  isJsonObject,
} from '#event-sourcing';
import { valueAtPath } from '#expressions';
import {
  type ItemLookup,
  creationIn,
  derivedFacts,
  outputValueKey,
  renderStepOutput,
  stepOutputKey,
} from '#shared-context';
import { type DerivedPlace } from '#transformations';

import { objectsOf } from '../reading/render-snapshot.js';
import { fillGaps } from '../transformations/fill-gaps.js';
import { Overlay } from '../transformations/overlay.js';
import { derivedFor } from '../transformations/place-reader.js';
import { ownNames } from './own-names.js';
import { type ProvidedPlaces } from './provided-places.js';

/**
 * A context as its reader sees it: its document, its items, the paths of derived values, and the provided values.
 * `agents`: the agents that are registered or named by a contract. `required`: the paths of required inputs.
 */
type VisibleContext = Readonly<{
  document: JsonObject;
  current: ItemLookup;
  derived: readonly DerivedPlace[];
  provided: ProvidedPlaces;
  agents: ReadonlySet<string>;
  required: readonly string[];
}>;

type Names = ReadonlyMap<string, NamedValue>;

const root = 'context';
/** The members of an agent; they take precedence over the output of a step of the same name. */
const ofAgents: ReadonlySet<string> = new Set(['completed', 'status', 'outputs', 'inputs']);

/**
 * The names of a context for templates. Paths: `context.<step>`, `<agent>.outputs.<name>`, `<agent>.inputs.<name>`,
 * `global_context` and `project_metadata`; also every member of the document, and the whole document. Names that agents
 * and steps have chosen never replace other names, except in `context`, which belongs to the steps. A step never
 * replaces the status, outputs or inputs of an agent, nor the value of a path.
 */
export function namesOfContext(visible: VisibleContext): Names {
  const { document, provided } = visible;
  const placed = placedValues(visible);
  const steps = provided.fillSteps(document['stepOutputs']);
  const chosen = namesOfStepsAndAgents(visible, objectOf(steps), placed);
  const fixed: (readonly [string, NamedValue])[] = [
    ...Object.entries(document).map(([name, value]) => [name, quoted(value)] as const),
    ['document', quoted(document)],
    // The id comes from the request itself.
    ['session_id', { value: document['contextId'], isOwn: true }],
    ['contextId', { value: document['contextId'], isOwn: true }],
    ['input', quoted(inputOf(document))],
    [
      'decisions',
      quoted(objectsOf(document['decisionHistory']).filter(({ live }) => live === true)),
    ],
    ['global_context', quoted(placed['global_context'])],
    ['project_metadata', quoted(placed['project_metadata'])],
  ];
  const members = new Map([
    ...fixed,
    ...chosen.map(({ name, inContext }) => [name, inContext] as const),
  ]);
  const context: NamedValue = { ...quoted(steps), members };
  if (!chosen.some(({ name }) => name === root)) members.set(root, context);
  const known = new Map([
    ...chosen.map(({ name, alone }) => [name, alone] as const),
    ...fixed,
    [root, context] as const,
  ]);
  const taken = new Set([...fixed.map(([name]) => name), ...ownNames, root, ...agentsIn(visible)]);
  for (const { name } of chosen) {
    const path = pathOf(name);
    if (!path || !(taken.has(path[0] ?? '') || visible.required.includes(formatDataPath(path))))
      continue;
    const found = quoted(valueIn(known, path));
    members.set(name, found);
    known.set(name, found);
  }
  return known;
}

/**
 * The steps of the paths, if all paths name outputs of steps: `context.<step>` and its members. Undefined if any path
 * names, or may name, something else, such as an agent.
 */
export function stepsNamed(named: readonly (readonly string[])[]): readonly string[] | undefined {
  const steps = named.map(([first, step, member]) =>
    first === root && !(member !== undefined && ofAgents.has(member)) && !pathOf(step ?? '')
      ? step
      : undefined,
  );
  return steps.every((step) => step !== undefined) ? [...new Set(steps)] : undefined;
}

/**
 * The outputs of these steps, and the input of the context if it was read. Undefined if one of the names is not a step:
 * it may then name another part of the context.
 */
export function outputsOfSteps(steps: readonly string[], current: ItemLookup): Names | undefined {
  const outputs: [string, JsonValue][] = [];
  for (const step of steps) {
    const { kind, key } = stepOutputKey(step);
    const item = current(kind, key);
    const stated = item && (renderStepOutput(item)['output'] ?? null);
    const { value } = fillGaps({ kind: 'step', stepId: step, rest: [] }, stated, { current });
    if (value === undefined) return undefined;
    outputs.push([step, value]);
  }
  return new Map([
    [root, quoted(Object.fromEntries(outputs))],
    ['input', quoted(inputOf(creationIn(current)))],
  ]);
}

/** A document without an input shows an empty object. */
function inputOf({ input }: Readonly<{ input?: JsonValue | undefined }>): JsonValue | undefined {
  return isJsonObject(input) && Object.keys(input).length === 0 ? undefined : input;
}

function quoted(value: JsonValue | undefined): NamedValue {
  return { value, isOwn: false };
}

/** The value of a name of an agent or a step, by itself and after `context`. */
type NamedSource = Readonly<{ name: string; alone: NamedValue; inContext: NamedValue }>;

/** The members of an agent take precedence over those of a step with the same name. */
function namesOfStepsAndAgents(
  visible: VisibleContext,
  steps: JsonObject,
  placed: JsonObject,
): readonly NamedSource[] {
  const agents = agentsIn(visible);
  return Array.from(new Set([...Object.keys(steps), ...agents]), (name) => {
    const output = valueAtPath(steps, [name]);
    if (!agents.has(name)) return { name, alone: quoted(output), inContext: quoted(output) };
    const agent = agentNamed(name, visible, placed);
    const members = new Map(
      Object.entries(agent).map(([key, value]) => [key, { ...quoted(value), source: [name, key] }]),
    );
    const isItsOwn = !visible.agents.has(name) || authorOfStep(name, visible) === name;
    return {
      name,
      alone: { ...quoted(isItsOwn ? (output ?? agent) : agent), members },
      inContext: { ...quoted(output ?? agent), members },
    };
  });
}

/** Agents that are registered or have worked on the context, and agents with derived or provided values. */
function agentsIn({ document, derived, provided, agents }: VisibleContext): ReadonlySet<string> {
  const derivedFor = derived.flatMap(({ place }) =>
    place.kind === 'input' ? [place.agentId] : [],
  );
  const working = Object.keys(objectOf(document['agents']));
  return new Set([...agents, ...working, ...derivedFor, ...provided.agents()]);
}

function authorOfStep(stepId: string, { current }: VisibleContext): unknown {
  const { kind, key } = stepOutputKey(stepId);
  return current(kind, key)?.state['agentId'];
}

/**
 * Parses the id of a step as a path; undefined if it is not the text of a path, or if the path is only the id itself.
 */
function pathOf(stepId: string): readonly string[] | undefined {
  const names = dataPathIn(stepId);
  return names && (names.length > 1 || names[0] !== stepId) ? names : undefined;
}

function agentNamed(agentId: string, visible: VisibleContext, placed: JsonObject) {
  const { document, current, provided } = visible;
  const status = valueAtPath(document, ['agents', agentId, 'status']) ?? 'pending';
  const names = Object.keys(objectOf(valueAtPath(document, ['agents', agentId, 'outputs'])));
  const outputs = names.map((name) => {
    const { kind, key } = outputValueKey(agentId, name);
    return [name, current(kind, key)?.body ?? null] as const;
  });
  return {
    completed: status === 'completed',
    status,
    outputs: provided.fillOutputs(agentId, Object.fromEntries(outputs)) ?? {},
    inputs: valueAtPath(placed, [agentId, 'inputs']) ?? {},
  };
}

/** Stated values, overlaid with derived ones, outer paths first; provided values fill the remaining paths. */
function placedValues({ document, current, derived, provided }: VisibleContext): JsonObject {
  const stated: JsonObject = {
    global_context: document['globalContext'] ?? {},
    project_metadata: document['metadata'] ?? {},
  };
  const ordered = derived.toSorted((left, right) => left.names.length - right.names.length);
  const overlay = new Overlay(stated);
  for (const place of ordered) {
    const item = derivedFor(place, current);
    if (item) overlay.put(place.names, derivedFacts(item).value);
  }
  return objectOf(provided.fillOthers(overlay.value));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
