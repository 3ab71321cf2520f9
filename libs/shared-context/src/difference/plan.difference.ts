import { z } from 'zod';

import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { member, only, pointerStep } from '../json.js';
import {
  blockerCleared,
  blockerRaised,
  dependencyDeclared,
  identifiedRisk,
  requirementRecorded,
  riskUpdated,
} from '../plan/plan.events.js';
import { identifier } from '../payload.schema.js';
import { changingIn, identified, statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type PartComparison, refused, unknownIssue } from './part.difference.js';
import { changesIn } from './value.difference.js';

type NewId = () => string;

const reviseRequirement = statement(requirementRecorded.schema, requirement);
const recordRequirement = statement(
  requirementRecorded.schema.extend({ requirementId: identifier }),
  requirement,
);
const raiseRisk = statement(identifiedRisk, (data) => ({ type: 'RaiseRisk', data }));
const updateRisk = statement(riskUpdated.schema, (data) => ({ type: 'UpdateRisk', data }));
const raiseBlocker = statement(blockerRaised.schema, (data) => ({ type: 'RaiseBlocker', data }));
const clearBlocker = statement(
  blockerCleared.schema.extend({ status: z.literal('cleared') }),
  ({ blockerId, note }) => ({ type: 'ClearBlocker', data: { blockerId, note } }),
);

/** A changed entry is a new revision; new entries follow the known ones. */
export function requirementsDifference(newId: NewId): PartComparison {
  const list: GrowingList = {
    id: 'requirementId',
    changed: changingIn(requirementRecorded.schema, ['kind', 'text'], (values, current, at) =>
      reviseRequirement(
        { ...only(current, ['requirementId', 'kind', 'text']), ...values },
        at,
        Object.keys(values),
      ),
    ),
    added: (sent, at) => recordRequirement(identified(sent, 'requirementId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

/** The status and the mitigation of a risk may change; new risks follow the known ones. */
export function risksDifference(newId: NewId): PartComparison {
  const list: GrowingList = {
    id: 'riskId',
    changed: changingIn(identifiedRisk, ['status', 'mitigation'], (values, current, at) =>
      updateRisk({ ...only(current, ['riskId', 'status']), ...values }, at, Object.keys(values)),
    ),
    added: (sent, at) => raiseRisk(identified(sent, 'riskId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

/** Dependencies can be added, and blockers raised and cleared; lists that are left out stay unchanged. */
export function dependenciesDifference(newId: NewId): PartComparison {
  const lists: Readonly<Record<string, GrowingList>> = {
    external: dependencyList('external'),
    internal: dependencyList('internal'),
    blockers: blockerList(newId),
  };
  return function* (current, sent, at) {
    if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
    const before = isJsonObject(current) ? current : {};
    for (const name of Object.keys(sent)) {
      const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
      const [known, entries = null] = [member(before, name), sent[name]];
      const place = at + pointerStep(name);
      if (list) yield* listDifference(known, entries, { at: place, list });
      else if (known !== undefined) yield* changesIn(known, entries, place);
      else
        yield {
          issue: unknownIssue(name, unusedNames(lists, sent), { at: place, fault: unknown }),
        };
    }
  };
}

const unknown = 'is not a list of dependencies';

function unusedNames(lists: object, sent: JsonObject): readonly string[] {
  return Object.keys(lists).filter((name) => !Object.hasOwn(sent, name));
}

function dependencyList(kind: 'external' | 'internal'): GrowingList {
  const ofKind = dependencyDeclared.schema.extend({ name: identifier, kind: z.literal(kind) });
  const declare = statement(ofKind, (data) => ({ type: 'DeclareDependency', data }));
  return {
    id: 'name',
    changed: unchanging(ofKind),
    added: (sent, at) => declare({ kind, ...sent }, at),
  };
}

function blockerList(newId: NewId): GrowingList {
  return {
    id: 'blockerId',
    changed: changingIn(blockerRaised.schema, ['status', 'note'], (values, current, at) =>
      clearBlocker({ ...only(current, ['blockerId']), ...values }, at, Object.keys(values)),
    ),
    added: (sent, at) => raiseBlocker(identified(sent, 'blockerId', newId), at),
  };
}

function requirement(data: z.output<typeof requirementRecorded.schema>): ContextCommand {
  return { type: 'RecordRequirement', data };
}
