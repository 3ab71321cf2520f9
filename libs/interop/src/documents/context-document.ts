import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

/** Absent if it was not stated. */
const anything = z.unknown().optional();
const named = z.record(z.string(), anything);
const texts = z.array(z.string());

/** The author and time of an entry, if stated, and its version. */
const authored = {
  agentId: z.string().nullable(),
  timestamp: z.string().nullable(),
  version: z.number(),
};

const task = z.looseObject({
  ...authored,
  taskId: z.string(),
  title: z.string(),
  dependsOn: texts,
  acceptanceCriteria: texts,
  estimate: z.number().optional(),
  partOf: z.string().optional(),
  group: z.string().optional(),
  status: z.enum(['planned', 'in_progress', 'blocked', 'completed']),
  reason: z.string().optional(),
});

const decision = z.looseObject({
  ...authored,
  decisionId: z.string(),
  topic: z.string().optional(),
  stepId: z.string().optional(),
  decision: z.string(),
  rationale: z.string().optional(),
  alternativesConsidered: anything,
  tradeOffs: anything,
  relatedRequirements: texts.optional(),
  relatedDecisions: z
    .array(z.looseObject({ decisionId: z.string(), relation: z.string() }))
    .optional(),
  confidence: z.number().optional(),
  supersedes: z.string().optional(),
  supersededBy: z.string().optional(),
  date: z.string().optional(),
  status: z.enum(['live', 'pending', 'rejected', 'superseded', 'deprecated']),
  live: z.boolean(),
});

const artifact = z.looseObject({
  ...authored,
  artifactId: z.string(),
  artifactType: z.string(),
  path: z.string().optional(),
  uri: z.string().optional(),
  change: z.enum(['created', 'modified', 'deleted', 'renamed']).optional(),
});

const handover = z.looseObject({
  ...authored,
  handoverId: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  priority: z.string(),
  note: z.string(),
  relatedArtifacts: texts.optional(),
  actionItems: texts.optional(),
  status: z.string().nullable(),
});

const review = z.looseObject({
  ...authored,
  reviewId: z.string(),
  artifact: z.string(),
  iteration: z.number().optional(),
  reviewer: z.string().nullable(),
  participants: texts.optional(),
  status: z.enum(['APPROVED', 'APPROVED_WITH_FIXES', 'REJECTED_WITH_FEEDBACK', 'BLOCKED']),
  gate: z.enum(['PASS', 'CONCERNS', 'FAIL', 'WAIVED']).optional(),
  reason: z.string().optional(),
  keyIssues: z.array(
    z.looseObject({ issueId: z.string(), severity: z.string(), text: z.string() }),
  ),
  addresses: texts.optional(),
  reviewFile: z.string().optional(),
});

const requirement = z.looseObject({
  ...authored,
  requirementId: z.string(),
  kind: z.enum(['functional', 'non_functional', 'constraint']),
  text: z.string(),
  met: z.boolean().optional(),
});

const risk = z.looseObject({
  ...authored,
  riskId: z.string(),
  severity: z.string(),
  description: z.string(),
  mitigation: z.string().optional(),
  status: z.string(),
});

const dependency = z.looseObject({ ...authored, name: z.string(), kind: z.string() });

const blocker = z.looseObject({
  ...authored,
  blockerId: z.string(),
  description: z.string(),
  status: z.string().nullable(),
});

const record = z.looseObject({
  ...authored,
  recordId: z.string(),
  kind: z.string(),
  title: z.string().optional(),
  participants: texts.optional(),
  body: z.string().optional(),
  fields: named.optional(),
  stepId: z.string().optional(),
});

const phase = z.looseObject({
  phase: z.string(),
  agent: z.string().nullable(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  iterations: z.number(),
  outputs: texts,
});

const breaker = z.looseObject({ current: z.number(), max: z.number(), status: z.string() });

const contextDocument = z.looseObject({
  contextId: z.string(),
  title: z.string().nullable(),
  status: z.string(),
  createdAt: z.string().nullable(),
  createdBy: z.string().nullable(),
  metadata: named,
  workflow: z.looseObject({ definitionId: z.string(), version: z.number() }).nullable(),
  input: anything,
  globalContext: named,
  currentState: z.looseObject({
    phase: z.string().nullable(),
    activeAgent: z.string().nullable(),
    activeTask: z.string().nullable(),
    status: z.string(),
  }),
  outcome: anything,
  stepOutputs: named,
  tasks: z.array(task),
  decisionHistory: z.array(decision),
  userPreferences: named,
  artifactReferences: z.array(artifact),
  completedPhases: z.array(phase),
  iterationCounts: z.record(z.string(), z.number()),
  circuitBreakers: z.record(z.string(), breaker),
  handoverNotes: z.array(handover),
  inputRequests: z.array(z.looseObject({})),
  reviewHistory: z.array(review),
  openIssues: z.array(
    z.looseObject({ issueId: z.string(), severity: z.string(), text: z.string() }),
  ),
  requirements: z.array(requirement),
  risks: z.array(risk),
  dependencies: z.looseObject({
    external: z.array(dependency),
    internal: z.array(dependency),
    blockers: z.array(blocker),
  }),
  records: z.array(record),
  signals: z.array(
    z.looseObject({ ...authored, signal: z.string(), subject: z.string(), detail: anything }),
  ),
  agents: named,
  quality: anything,
  derived: named,
  metrics: named,
  run: anything,
  _version: z.number(),
  _lastModifiedAt: z.string(),
});

/** The document of a context as an export reads it: the members of `GET /v1/contexts/{id}` that formats use. */
export type ContextDocument = z.output<typeof contextDocument>;

/** Throws ZodError if the document is not one of this release. */
export function readContextDocument(document: JsonObject): ContextDocument {
  return contextDocument.parse(document);
}
