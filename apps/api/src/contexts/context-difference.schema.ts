import { z } from 'zod';

import { type ContextDifference } from '#shared-context';

const entry = z.looseObject({});
const list = z.array(entry);
const sides = { before: entry.nullable(), after: entry.nullable() };
const replaced = z.object(sides).nullable();
const olderDecisions = z.array(z.object({ decisionId: z.string(), before: entry, after: entry }));
const values = z.array(
  z.object({ key: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
);

const parts: Readonly<Record<keyof ContextDifference, z.ZodType>> = {
  created: entry.nullable().meta({ description: 'The creation, if there was no context before' }),
  life: replaced.meta({ description: 'Closed or reopened' }),
  currentState: replaced,
  decisionsMade: list,
  decisionsSuperseded: olderDecisions.meta({
    description: 'Decisions that existed before the range; also in the following lists',
  }),
  decisionsApproved: olderDecisions,
  decisionsRejected: olderDecisions,
  decisionsStale: olderDecisions.meta({
    description: 'Decisions that are based on a superseded one',
  }),
  decisionsReinstated: olderDecisions,
  decisionsWithdrawn: list,
  outputsAdded: list,
  outputsReplaced: z.array(z.object({ stepId: z.string(), ...sides })),
  outputsWithdrawn: list,
  namedOutputsChanged: z.array(z.object({ agentId: z.string(), name: z.string(), ...sides })),
  stepsChanged: z.array(z.object({ stepId: z.string(), ...sides, failure: entry.nullable() })),
  artifactsAdded: list,
  artifactsRevised: z.array(z.object({ artifactId: z.string(), ...sides })),
  artifactsWithdrawn: list,
  preferencesChanged: values.meta({
    description: 'before or after is absent if there was none',
  }),
  globalContextChanged: values,
  checkpointsCreated: list,
  workStale: list.meta({
    description: 'Work whose author had read a live decision that has been superseded since',
  }),
  entriesChanged: z.array(z.object({ part: z.string(), key: z.string(), ...sides })).meta({
    description: 'Entries of the document lists for which the difference has no separate member',
  }),
};

/** A semantic difference: every list is present, and empty if nothing changed. */
export const contextDifference = z.looseObject({
  ...parts,
  staleTruncated: z.literal(true).optional().meta({
    description:
      'Present if a page does not list all stale work; the check of the context lists all',
  }),
});
