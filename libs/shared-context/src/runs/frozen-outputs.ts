import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemChange, type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { frozenOutputsKey } from './run.item.js';
import { type StepResult } from './step.facts.js';

type Superseded = Readonly<{
  stepId: string;
  results: readonly StepResult[];
  before: Item | undefined;
}>;

/**
 * Keeps the outputs of older results that are still read: branches read what there was when their parallel step began, whatever
 * the step has come to since. `before`: the output that a newer one replaces.
 */
export function frozenChange(
  { stepId, results, before }: Superseded,
  current: ItemLookup,
): readonly ItemChange[] {
  const key = frozenOutputsKey(stepId);
  const frozen = current(key.kind, key.key);
  const kept = results.slice(0, -1).filter(({ hasOutput }) => hasOutput);
  if (kept.length === 0) return frozen ? [{ ...key, removed: true }] : [];
  const outputs = kept.map(({ version }): [string, JsonValue] => [
    String(version),
    version === before?.fromVersion ? outputOf(before) : frozenOutput(frozen, version),
  ]);
  const body: JsonObject = Object.fromEntries(outputs);
  return [{ ...key, state: {}, body }];
}

/** The output that an event of this version added, whether it is still the newest one of its step or was kept. */
export function outputAt(
  items: Readonly<{ newest: Item | undefined; frozen: Item | undefined }>,
  version: number,
): JsonValue {
  const { newest, frozen } = items;
  return newest?.fromVersion === version ? outputOf(newest) : frozenOutput(frozen, version);
}

function frozenOutput(item: Item | undefined, version: number): JsonValue {
  const body = item?.body;
  return (isJsonObject(body) ? member(body, String(version)) : undefined) ?? null;
}

function outputOf({ body }: Item): JsonValue {
  return (isJsonObject(body) ? member(body, 'output') : undefined) ?? null;
}
