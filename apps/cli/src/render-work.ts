import { z } from 'zod';

const maybe = z.string().nullish();
const listOf = <Member extends z.ZodRawShape>(members: Member) =>
  z.array(z.looseObject(members)).default([]);

/** Members of a context with its plan, reviews, handovers, records and signals, limited to the fields that are printed. */
export const workParts = {
  requirements: listOf({ requirementId: z.string(), kind: maybe, text: z.string() }),
  risks: listOf({ riskId: z.string(), severity: maybe, status: maybe, description: z.string() }),
  dependencies: z
    .looseObject({
      blockers: listOf({ blockerId: z.string(), status: maybe, description: z.string() }),
    })
    .optional(),
  reviewHistory: listOf({
    reviewId: z.string(),
    status: maybe,
    reviewer: maybe,
    artifact: z.string(),
  }),
  openIssues: listOf({ issueId: z.string(), severity: maybe, text: z.string() }),
  handoverNotes: listOf({
    handoverId: z.string(),
    priority: maybe,
    status: maybe,
    to: z.string(),
    note: z.string(),
  }),
  inputRequests: listOf({
    inputRequestId: z.string(),
    status: maybe,
    from: z.string(),
    path: z.string(),
  }),
  circuitBreakers: z
    .record(z.string(), z.looseObject({ current: z.number(), max: z.number(), status: z.string() }))
    .default({}),
  records: listOf({
    recordId: z.string(),
    kind: z.string(),
    agentId: maybe,
    title: maybe,
    body: maybe,
    fields: z.record(z.string(), z.unknown()).default({}),
  }),
  signals: listOf({
    signal: z.string(),
    subject: z.string(),
    agentId: maybe,
    detail: z.record(z.string(), z.unknown()).default({}),
  }),
};

type Work = z.output<z.ZodObject<typeof workParts>>;

export type Rows = readonly (readonly (string | null | undefined)[])[];

/** Headings with their rows, in the order of the output. */
export function workRows(document: Work): readonly (readonly [string, Rows])[] {
  const { requirements, risks, dependencies, reviewHistory, openIssues } = document;
  const { handoverNotes, inputRequests, records, signals } = document;
  const blockers = dependencies?.blockers ?? [];
  return [
    ['Requirements', requirements.map((one) => [one.requirementId, one.kind, one.text])],
    ['Risks', risks.map((one) => [one.riskId, one.severity, one.status, one.description])],
    ['Blockers', blockers.map((one) => [one.blockerId, one.status, one.description])],
    ['Reviews', reviewHistory.map((one) => [one.reviewId, one.status, one.reviewer, one.artifact])],
    ['Open issues', openIssues.map((one) => [one.issueId, one.severity, one.text])],
    [
      'Handovers',
      handoverNotes.map((one) => [one.handoverId, one.priority, one.status, one.to, one.note]),
    ],
    [
      'Input requests',
      inputRequests.map((one) => [one.inputRequestId, one.status, one.from, one.path]),
    ],
    ['Circuit breakers', breakerRows(document)],
    ['Records', records.map((one) => [one.recordId, one.kind, one.agentId, textOf(one)])],
    [
      'Signals',
      signals.map((one) => [
        one.signal,
        one.subject,
        one.agentId,
        Object.values(one.detail).join(),
      ]),
    ],
  ];
}

function breakerRows({ circuitBreakers }: Work): Rows {
  return Object.entries(circuitBreakers).map(([subject, { current, max, status }]) => [
    subject,
    `${current} of ${max}`,
    status,
  ]);
}

/** The line that is printed for a record: its title, else its body, else its fields. */
function textOf({ title, body, fields }: Work['records'][number]): string {
  return title ?? body ?? JSON.stringify(fields);
}
