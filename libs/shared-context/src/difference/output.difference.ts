import { type JsonValue, isJsonObject } from '#event-sourcing';

import { jsonEquals, member, pointerStep } from '../json.js';
import { identifier } from '../payload.schema.js';
import { stepOutputToAdd } from '../steps/step.events.js';
import {
  type Change,
  type PartDifference,
  commanded,
  parseStated,
  refused,
} from './part.difference.js';

/** A changed output becomes a new output; `null` is a valid output. Steps that are left out keep their outputs. */
export function* outputsDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): Generator<Change | undefined> {
  if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
  const before = isJsonObject(current) ? current : {};
  for (const stepId of Object.keys(sent)) {
    yield;
    const output = sent[stepId] ?? null;
    const known = member(before, stepId);
    if (jsonEquals(known, output)) continue;
    const schema = known === undefined ? outputOfNewStep : stepOutputToAdd;
    yield* outputDifference({ stepId, output }, at + pointerStep(stepId), schema);
  }
}

const outputOfNewStep = stepOutputToAdd.extend({ stepId: identifier });

function outputDifference(
  sent: Readonly<{ stepId: string; output: JsonValue }>,
  at: string,
  schema: typeof stepOutputToAdd,
): PartDifference {
  const parsed = parseStated(schema, sent);
  if (parsed.success)
    return commanded({ type: 'AddStepOutput', data: parsed.data }, at, { keyed: true });
  return parsed.error.issues.flatMap(({ message }) => [...refused(at, message)]);
}
