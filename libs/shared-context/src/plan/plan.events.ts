import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

import { existingId, existingOrNewId, identifier, text } from '../payload.schema.js';
import { severities } from '../severity.js';

const requirementKinds = ['functional', 'non_functional', 'constraint'] as const;
const dependencyKinds = ['external', 'internal'] as const;
export const riskStatuses = ['open', 'mitigated', 'accepted', 'closed', 'occurred'] as const;

const requirementOfVersion1 = { kind: z.enum(requirementKinds), text };
/** `met`: whether somebody has marked it as fulfilled; left out if nobody has said either. */
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

/** The same id again is a new revision. */
export const requirementRecorded = defineEvent(
  'RequirementRecorded',
  z.strictObject({ requirementId: existingOrNewId, ...statedRequirement }),
  { version: 2, upcasts: { 1: upcast(requirementRecordedV1, (data) => data) } },
);

/** A risk is open until an update says otherwise. */
const riskRaised = defineEvent('RiskRaised', z.strictObject({ riskId: identifier, ...statedRisk }));

/** Without a mitigation the one stated before stays. */
export const riskUpdated = defineEvent(
  'RiskUpdated',
  z.strictObject({
    riskId: existingId,
    status: z.enum(riskStatuses),
    mitigation: text.optional(),
  }),
);

/** The same name again as the other kind corrects what was declared before. */
export const dependencyDeclared = defineEvent(
  'DependencyDeclared',
  z.strictObject({ name: existingOrNewId, kind: z.enum(dependencyKinds) }),
);

export const blockerRaised = defineEvent(
  'BlockerRaised',
  z.strictObject({ blockerId: identifier, ...statedBlocker }),
);

export const blockerCleared = defineEvent(
  'BlockerCleared',
  z.strictObject({ blockerId: existingId, note: text.optional() }),
);

export const planEvents = [
  requirementRecorded,
  riskRaised,
  riskUpdated,
  dependencyDeclared,
  blockerRaised,
  blockerCleared,
] as const;

/** What a client may state; ids are made where they are left out. */
export const requirementToRecord = z.strictObject({
  requirementId: existingOrNewId.optional(),
  ...statedRequirement,
});
/** A risk that may already have a status, which is stored by a separate update. */
export const identifiedRisk = riskRaised.schema.extend({ status: z.enum(riskStatuses).optional() });
export const riskToRaise = identifiedRisk.extend({ riskId: identifier.optional() });
export const blockerToRaise = z.strictObject({
  blockerId: identifier.optional(),
  ...statedBlocker,
});
