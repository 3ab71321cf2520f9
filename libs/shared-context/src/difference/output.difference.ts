import { type JsonValue } from '#event-sourcing';

import { isJsonObject, jsonEquals, member, pointerStep } from '../json.js';
import { stepOutputAdded } from '../steps/step.events.js';
import {
  type PartDifference,
  asks,
  joined,
  noDifference,
  notRemovable,
  refused,
} from './part.difference.js';

/** Another output is one added; `null` would be a removal, which outputs do not know. */
export function outputsDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): PartDifference {
  if (!isJsonObject(sent)) return refused({ pointer: at, detail: 'must be an object' });
  const before = isJsonObject(current) ? current : {};
  const removed = Object.keys(before).filter((stepId) => !Object.hasOwn(sent, stepId));
  return joined([
    notRemovable(...removed.map((stepId) => at + pointerStep(stepId))),
    ...Object.entries(sent).map(([stepId, output]) => {
      const pointer = at + pointerStep(stepId);
      if (jsonEquals(member(before, stepId), output)) return noDifference;
      if (output === null) return notRemovable(pointer);
      const parsed = stepOutputAdded.schema.safeParse({ stepId, output });
      return parsed.success
        ? asks({ type: 'AddStepOutput', data: parsed.data })
        : refused(...parsed.error.issues.map(({ message }) => ({ pointer, detail: message })));
    }),
  ]);
}
