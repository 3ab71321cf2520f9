import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { NotExpressibleError } from '../context.errors.js';
import { isJsonObject, jsonEquals, member, pointerStep } from '../json.js';
import { namedValues } from '../payload.schema.js';
import { artifactsDifference } from './artifact.difference.js';
import { decisionsDifference } from './decision.difference.js';
import { handoversDifference, inputRequestsDifference } from './handover.difference.js';
import { outputsDifference } from './output.difference.js';
import {
  type Part,
  type PartDifference,
  asks,
  joined,
  noDifference,
  notRemovable,
  refused,
  refusedBySchema,
} from './part.difference.js';
import {
  dependenciesDifference,
  requirementsDifference,
  risksDifference,
} from './plan.difference.js';
import { recordsDifference, reviewsDifference, signalsDifference } from './story.difference.js';
import { iterationsDifference } from './iteration.difference.js';
import { phasesDifference } from './phase.difference.js';
import { tasksDifference } from './task.difference.js';
import { changesIn, patchBetween, removalsIn } from './value.difference.js';

/**
 * The commands that turn the document `current` into `sent`: members left out stay, removing is possible for
 * preferences only, derived members must be equal or absent. `newId` makes the id of an artifact sent without one.
 *
 * Throws {@link NotExpressibleError} naming every place that no event can state.
 */
export function differences(
  current: JsonObject,
  sent: JsonObject,
  newId: () => string,
): readonly ContextCommand[] {
  const parts = writableParts(newId);
  const { commands, issues } = joined(
    Object.entries(sent).map(([name, value]) => {
      const before = member(current, name);
      if (jsonEquals(before, value)) return noDifference;
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
      return (part ?? derived)(before, value, pointerStep(name));
    }),
  );
  if (issues.length > 0) throw new NotExpressibleError(issues);
  return commands;
}

function writableParts(newId: () => string): Readonly<Record<string, Part>> {
  return {
    globalContext: valuesDifference('SetGlobalContext'),
    userPreferences: valuesDifference('SetPreferences'),
    stepOutputs: outputsDifference,
    tasks: tasksDifference(newId),
    completedPhases: phasesDifference,
    iterationCounts: iterationsDifference,
    decisionHistory: decisionsDifference,
    artifactReferences: artifactsDifference(newId),
    handoverNotes: handoversDifference(newId),
    inputRequests: inputRequestsDifference(newId),
    reviewHistory: reviewsDifference(newId),
    requirements: requirementsDifference(newId),
    risks: risksDifference(newId),
    dependencies: dependenciesDifference(newId),
    records: recordsDifference(newId),
    signals: signalsDifference,
  };
}

function derived(current: JsonValue | undefined, sent: JsonValue, at: string): PartDifference {
  if (current === undefined) return refused({ pointer: at, detail: 'is no member of a context' });
  return refused(...changesIn(current, sent, at));
}

function valuesDifference(type: 'SetGlobalContext' | 'SetPreferences'): Part {
  return (current, sent, at) => {
    if (!isJsonObject(sent)) return refused({ pointer: at, detail: 'must be an object' });
    const values = patchBetween(isJsonObject(current) ? current : {}, sent);
    const removals = type === 'SetGlobalContext' ? removalsIn(values, at) : [];
    if (removals.length > 0) return notRemovable(...removals);
    if (Object.keys(values).length === 0) return noDifference;
    const parsed = namedValues.safeParse(values);
    return parsed.success ? asks({ type, data: { values } }) : refusedBySchema(parsed.error, at);
  };
}
