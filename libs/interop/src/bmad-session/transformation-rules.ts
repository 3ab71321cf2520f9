import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type DocumentPlace, type ReadingNote } from '../documents/document-format.js';
import { type PlaceOf } from './agent-rules.js';
import { rangesOf } from './ranges-of.js';

const ending = /_completion$/;
const sourceName = /^[A-Za-z]\w{0,63}$/;
/** Statements that expressions do not support: loops, branches, own functions. */
const statement = /^[ \t]*(?:for|while|if|elif|else|def|return|import|try|with)\b|\.append\(/m;

type ReadTransformation = Readonly<{
  operation: JsonObject;
  sources: JsonObject;
  destinations: JsonValue;
}>;
type StatedTransformation = Readonly<{ id: string; stated: JsonObject; all: JsonObject }>;

/** Reads `transformations` of a YAML document as definitions of the registry; notes transformations that cannot run. */
export function readTransformations(all: JsonValue | undefined, placeOf: PlaceOf) {
  const notes: ReadingNote[] = [];
  const definitions: { transformationId: string; definition: JsonObject; place: DocumentPlace }[] =
    [];
  if (!isJsonObject(all)) return { definitions, notes };
  for (const [id, stated] of Object.entries(all)) {
    const place = placeOf(['transformations', id]);
    const read = isJsonObject(stated) ? readOne({ id, stated, all }) : undefined;
    if (!read || !isJsonObject(stated)) {
      const detail = 'cannot run: write it as one of the operations of /v1/transformations';
      notes.push({ ...place, kind: 'left-out', detail });
      continue;
    }
    const definition = { trigger: triggerOf(stated['trigger'], all), ...read };
    definitions.push({ transformationId: id, definition, place });
  }
  return { definitions, notes };
}

function readOne(transformation: StatedTransformation): ReadTransformation | undefined {
  const { stated } = transformation;
  if (typeof stated['trigger'] !== 'string') return undefined;
  if (typeof stated['algorithm'] === 'string')
    return readAlgorithm(transformation, stated['algorithm']);
  if (typeof stated['logic'] === 'string') return readLogic(transformation, stated['logic']);
  const { source, destinations } = stated;
  if (typeof source !== 'string' || !Array.isArray(destinations)) return undefined;
  const sources = sourcesOf([source]);
  return sources && { operation: { kind: 'propagate' }, sources, destinations };
}

/** Lines of arithmetic, in which the last name of each input is its value. */
function readAlgorithm(
  { stated }: StatedTransformation,
  algorithm: string,
): ReadTransformation | undefined {
  const sources = sourcesOf(stated['inputs']);
  const { output } = stated;
  if (!sources || typeof output !== 'string' || statement.test(algorithm)) return undefined;
  return {
    operation: { kind: 'score', expression: algorithm.trim() },
    sources,
    destinations: [output],
  };
}

/** Branches on a number that another transformation derives. */
function readLogic(
  { id, all }: StatedTransformation,
  logic: string,
): ReadTransformation | undefined {
  const select = rangesOf(logic);
  const path = select && outputNamed(select.by, all);
  if (!select || path === undefined) return undefined;
  return {
    operation: { kind: 'select', by: select.by, ranges: select.ranges },
    sources: { [select.by]: path },
    destinations: [`project_metadata.${id}`],
  };
}

function outputNamed(name: string, all: JsonObject): string | undefined {
  const outputs = Object.values(all).map((one) => (isJsonObject(one) ? one['output'] : undefined));
  return outputs.find(
    (path): path is string => typeof path === 'string' && path.split('.').at(-1) === name,
  );
}

/** The paths by their last names. */
function sourcesOf(paths: JsonValue | undefined): JsonObject | undefined {
  if (!Array.isArray(paths)) return undefined;
  const sources = paths.map((path) => [String(path).split('.').at(-1) ?? '', path] as const);
  const names = new Set(sources.map(([name]) => name));
  const isUsable = names.size === paths.length && [...names].every((name) => sourceName.test(name));
  return isUsable && names.size > 0 ? Object.fromEntries(sources) : undefined;
}

/**
 * `analyst_completion`: after the agent has written an output, or after the value of the transformation was derived.
 */
function triggerOf(trigger: JsonValue | undefined, all: JsonObject): JsonObject {
  const name = String(trigger).replace(ending, '');
  return Object.hasOwn(all, name) ? { transformation: name } : { agent: name };
}
