import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { existingId, existingOrNewId, identifier, text } from '../payload.schema.js';
import { severities } from '../severity.js';

const requirementKinds = ['functional', 'non_functional', 'constraint'] as const;
const dependencyKinds = ['external', 'internal'] as const;
const riskStatuses = ['open', 'mitigated', 'accepted', 'closed', 'occurred'] as const;

const requirementOfVersion1 = { kind: z.enum(requirementKinds), text };
/** `met`: whether the requirement is fulfilled; absent if that is unknown. */
const statedRequirement = { ...requirementOfVersion1, met: z.boolean().optional() };
const statedRisk = {
  severity: z.enum(severities),
  description: text,
  mitigation: text.optional(),
};
const statedBlocker = { description: text };

const requirementRecordedV1 = z.strictObject({
  requirementId: existingOrNewId,
  ...requirementOfVersion1,
});
const requirementToRecord = z.strictObject({
  requirementId: existingOrNewId.optional(),
  ...statedRequirement,
});

const riskRaisedPayload = z.strictObject({ riskId: identifier, ...statedRisk });
/** A risk that may already have a status, which is stored by a separate update. */
export const identifiedRisk = riskRaisedPayload.extend({ status: z.enum(riskStatuses).optional() });
const riskToRaise = identifiedRisk.extend({ riskId: identifier.optional() });
const riskUpdatedPayload = z.strictObject({
  riskId: existingId,
  status: z.enum(riskStatuses),
  mitigation: text.optional(),
});

const dependencyDeclaredPayload = z.strictObject({
  name: existingOrNewId,
  kind: z.enum(dependencyKinds),
});

const blockerToRaise = z.strictObject({ blockerId: identifier.optional(), ...statedBlocker });
const blockerClearedPayload = z.strictObject({ blockerId: existingId, note: text.optional() });

/** A known id is a new revision of the requirement. */
export const requirementRecorded = defineClientEvent(
  'RequirementRecorded',
  z.strictObject({ requirementId: existingOrNewId, ...statedRequirement }),
  {
    line: ({ requirementId, text: said }) => `requirement ${requirementId}: ${said}`,
    idMember: 'requirementId',
    client: { command: 'RecordRequirement', payload: requirementToRecord },
    history: { version: 2, upcasts: { 1: upcast(requirementRecordedV1, (data) => data) } },
  },
);

/** A risk is open until an update changes its status. */
const riskRaised = defineClientEvent('RiskRaised', riskRaisedPayload, {
  line: ({ riskId, severity, description }) =>
    `risk ${riskId} raised (${severity}): ${description}`,
  idMember: 'riskId',
  client: { command: 'RaiseRisk', payload: riskToRaise },
});

/** Without a mitigation, the previous one stays in force. */
export const riskUpdated = defineClientEvent('RiskUpdated', riskUpdatedPayload, {
  line: ({ riskId, status, mitigation }) =>
    `risk ${riskId} is ${status}${optionalText(': ', mitigation)}`,
  client: { command: 'UpdateRisk', payload: riskUpdatedPayload },
});

/** A known name with the other kind corrects the earlier declaration. */
export const dependencyDeclared = defineClientEvent(
  'DependencyDeclared',
  dependencyDeclaredPayload,
  {
    line: ({ name, kind }) => `${kind} dependency ${name}`,
    client: { command: 'DeclareDependency', payload: dependencyDeclaredPayload },
  },
);

export const blockerRaised = defineClientEvent(
  'BlockerRaised',
  z.strictObject({ blockerId: identifier, ...statedBlocker }),
  {
    line: ({ blockerId, description }) => `blocked by ${blockerId}: ${description}`,
    idMember: 'blockerId',
    client: { command: 'RaiseBlocker', payload: blockerToRaise },
  },
);

export const blockerCleared = defineClientEvent('BlockerCleared', blockerClearedPayload, {
  line: ({ blockerId, note }) => `blocker ${blockerId} cleared${optionalText(': ', note)}`,
  client: { command: 'ClearBlocker', payload: blockerClearedPayload },
});

export const planEvents = [
  requirementRecorded,
  riskRaised,
  riskUpdated,
  dependencyDeclared,
  blockerRaised,
  blockerCleared,
] as const;

export const planItemKinds = [
  defineItemKind('requirement', {
    rulesReadBody: true,
    isTraced: true,
    view: { section: 'requirements', heading: ['requirementId', 'kind'] },
  }),
  defineItemKind('risk', {
    rulesReadBody: true,
    view: { section: 'plan', heading: ['riskId', 'severity'] },
  }),
  defineItemKind('dependency', { view: { section: 'plan', heading: ['name', 'kind'] } }),
  defineItemKind('blocker', {
    rulesReadBody: true,
    view: { section: 'plan', heading: ['blockerId'], when: 'not open' },
  }),
] as const;
