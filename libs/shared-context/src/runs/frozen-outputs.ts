import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemChange, type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { frozenOutputsKey } from './run.item.js';
import { type StepResult } from './step.facts.js';

type FrozenChangeInput = Readonly<{
  stepId: string;
  results: readonly StepResult[];
  before: Item | undefined;
}>;

/**
 * Stores the outputs of older results that branches still read: a branch reads the outputs from the start of its
 * parallel step, even if the steps have newer ones. `before`: the output that a newer one replaces.
 */
export function frozenChange(
  { stepId, results, before }: FrozenChangeInput,
  current: ItemLookup,
): readonly ItemChange[] {
  const key = frozenOutputsKey(stepId);
  const frozen = current(key.kind, key.key);
  const retained = results.slice(0, -1).filter(({ hasOutput }) => hasOutput);
  if (retained.length === 0) return frozen ? [{ ...key, removed: true }] : [];
  const outputs = retained.map(({ version }): [string, JsonValue] => [
    String(version),
    version === before?.fromVersion ? outputOf(before) : frozenOutput(frozen, version),
  ]);
  const body: JsonObject = Object.fromEntries(outputs);
  return [{ ...key, state: {}, body }];
}

/** The output that the event of this version added, from the newest output of its step or from the frozen ones. */
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
