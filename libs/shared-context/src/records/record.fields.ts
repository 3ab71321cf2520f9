import { z } from 'zod';

import { identifier, jsonObject, text } from '../payload.schema.js';

export const recommendations = ['Retry', 'Skip', 'Escalate'] as const;

/** Markdown, or a list of Markdown lines. */
const prose = z
  .union([text, z.array(text).max(10_000)], { error: 'must be text or a list of texts' })
  .optional();

/** The schemas of the fields of a record, by its kind. */
export const recordFields = {
  'kickoff-insights': z.strictObject({
    notes: prose,
    strategy: prose,
    testing: prose,
    risks: prose,
  }),
  'dev-record': z.strictObject({
    summary: prose,
    filesCreated: prose,
    filesModified: prose,
    keyDecisions: prose,
    testsAdded: prose,
    notesForReviewer: prose,
  }),
  'review-record': z.strictObject({
    summary: prose,
    findings: prose,
    fixes: prose,
    verification: prose,
    outcome: prose,
  }),
  'failure-analysis': z.strictObject({
    /** The phase that failed, such as `dev` or `review`. */
    failureType: identifier.optional(),
    message: text.optional(),
    recommendation: z.enum(recommendations).optional(),
  }),
  retrospective: z.strictObject({
    summary: prose,
    successes: prose,
    challenges: prose,
    insights: prose,
    actionItems: prose,
    agreements: prose,
    technicalDebt: prose,
  }),
  uat: z.strictObject({ summary: prose, scenarios: prose, results: prose, outcome: prose }),
  custom: jsonObject,
} as const;

export type RecordKind = keyof typeof recordFields;
