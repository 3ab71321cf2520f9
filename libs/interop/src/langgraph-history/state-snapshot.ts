import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { type DocumentPlace } from '../documents/document-format.js';

/** The facts of a snapshot of a thread's state; absent members are empty. */
export type StateSnapshot = Readonly<{
  /** The unchanged snapshot. */
  whole: JsonObject;
  threadId: string | undefined;
  checkpointId: string | undefined;
  parentId: string | undefined;
  createdAt: string | undefined;
  /** -1 for the input of the first run. */
  step: number | undefined;
  /** `input`, `loop`, `update` or `fork`. */
  source: string | undefined;
  /** The writes of the nodes that led to this state, by node; later releases of LangGraph omit them. */
  writes: JsonObject;
  /** The nodes that run next. */
  next: readonly string[];
  tasks: readonly JsonObject[];
}>;

/** A snapshot with its location. `fault`: why its values cannot be outputs unchanged. */
export type PlacedSnapshot = Readonly<{
  snapshot: StateSnapshot;
  text: string;
  place: DocumentPlace;
  fault: string | undefined;
}>;

/** Reads a snapshot of the JavaScript or Python library or of the server; undefined if the value is not one. */
export function readSnapshot(value: JsonValue): StateSnapshot | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'values')) return undefined;
  const config = configOf(value, ['config', 'checkpoint']);
  if (!Object.hasOwn(value, 'next') && Object.keys(config).length === 0) return undefined;
  const parent = configOf(value, ['parentConfig', 'parent_config', 'parent_checkpoint']);
  const metadata = objectIn(value, 'metadata');
  return {
    whole: value,
    threadId: firstText([config, 'thread_id'], [metadata, 'thread_id']),
    checkpointId: firstText([config, 'checkpoint_id'], [value, 'checkpoint_id']),
    parentId: firstText([parent, 'checkpoint_id'], [value, 'parent_checkpoint_id']),
    createdAt: firstText([value, 'createdAt'], [value, 'created_at']),
    step: stepOf(metadata),
    source: textIn(metadata, 'source'),
    writes: objectIn(metadata, 'writes'),
    next: listIn(value, 'next').filter((node) => typeof node === 'string'),
    tasks: listIn(value, 'tasks').filter(isJsonObject),
  };
}

function firstText(...places: readonly (readonly [JsonObject, string])[]): string | undefined {
  return places.map(([object, name]) => textIn(object, name)).find((text) => text !== undefined);
}

/** The server has the members of `configurable` without the object around them. */
function configOf(snapshot: JsonObject, names: readonly string[]): JsonObject {
  const config = names
    .map((name) => objectIn(snapshot, name))
    .find((one) => Object.keys(one).length);
  if (!config) return {};
  return Object.hasOwn(config, 'configurable') ? objectIn(config, 'configurable') : config;
}

function stepOf({ step }: JsonObject): number | undefined {
  return typeof step === 'number' && Number.isSafeInteger(step) ? step : undefined;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
}

export function listIn(object: JsonObject, name: string): readonly JsonValue[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonArray(value) ? value : [];
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
