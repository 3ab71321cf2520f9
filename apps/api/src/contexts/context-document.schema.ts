import { z } from 'zod';

import { contextOutcomes } from '#shared-context';

const part = z.record(z.string(), z.unknown());
const list = z.array(z.looseObject({}));

const failedSteps = z
  .array(
    z.looseObject({
      stepId: z.string(),
      reason: z.string(),
      tried: z.unknown(),
      version: z.int(),
      agentId: z.string(),
    }),
  )
  .meta({ description: 'Steps of which the newest attempt failed, the oldest failure first' });

const breaker = z.looseObject({
  current: z.int(),
  max: z.int(),
  status: z.enum(['ok', 'warning', 'tripped']),
});

/** The document as it is documented; reading clients carry on with members they do not know. */
export const contextDocument = z.looseObject({
  contextId: z.string(),
  workspace: z.string(),
  title: z.string().nullable(),
  status: z.enum(['open', 'closed']),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  parent: z.string().nullable(),
  continues: z.string().nullable().meta({
    description: 'The context whose open handovers this one took over',
  }),
  workflow: z
    .looseObject({ definitionId: z.string(), version: z.int() })
    .nullable()
    .meta({ description: 'The definition that the context was created for' }),
  input: z.unknown().meta({ description: 'The input that the context was created with: any JSON' }),
  children: list.meta({
    description: 'Contexts that name this one as their parent, oldest first: how each gets on',
  }),
  executionSummary: z
    .looseObject({
      total: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      skipped: z.int(),
      blocked: z.int(),
      inProgress: z.int(),
      waiting: z.int(),
      notStarted: z.int(),
      unknown: z.int(),
      durationSeconds: z.int(),
    })
    .optional()
    .meta({
      description:
        'Where there are children: how many came to what, and seconds from the first creation to the newest change',
    }),
  metadata: part,
  globalContext: part,
  stepOutputs: part.meta({ description: 'The latest output of each step, exactly as sent' }),
  currentState: z
    .looseObject({
      phase: z.string().nullable(),
      activeAgent: z.string().nullable(),
      activeTask: z.string().nullable(),
      status: z.enum(['not_started', 'in_progress', 'blocked', 'completed', 'failed']),
      activeSteps: z.array(z.string()).meta({ description: 'Ids of all steps that run' }),
      failedSteps,
    })
    .meta({ description: 'The phase, step and task that were started last and still run' }),
  failedSteps,
  outcome: z.enum(contextOutcomes).meta({
    description:
      'What has come of the context: as its closing states it, or else as its reviews, signals, blockers, failures and open work say',
  }),
  tasks: list.meta({ description: 'As planned, with their status and who works on them' }),
  completedPhases: list.meta({ description: 'By their newest completion, oldest first' }),
  iterationCounts: z
    .record(z.string(), z.int())
    .meta({ description: 'Iterations ever started, by subject' }),
  circuitBreakers: z
    .record(z.string(), breaker)
    .meta({ description: 'Iterations since the newest reset, and how many there may be' }),
  decisionHistory: list.meta({ description: 'Every decision, oldest first' }),
  userPreferences: part,
  artifactReferences: list,
  handoverNotes: list.meta({ description: 'Every handover, open or acknowledged, oldest first' }),
  run: z.looseObject({}).nullable().meta({
    description:
      'The newest run of a workflow, as `GET .../run` answers it; null if there is none, and for other audiences than `all`',
  }),
  inputRequests: list.meta({
    description: 'Requests to agents for input, with the values that were provided',
  }),
  reviewHistory: list.meta({ description: 'Every review, oldest first' }),
  openIssues: list.meta({ description: 'Issues of reviews that no later review addresses' }),
  requirements: list,
  risks: list,
  dependencies: z.looseObject({ external: list, internal: list, blockers: list }),
  records: list.meta({ description: 'The sections of the story, oldest first' }),
  signals: list.meta({ description: 'How agents said that phases ended, oldest first' }),
  derived: part.meta({
    description: 'Values that transformations derived, by path, with what each was made from',
  }),
  summaries: list.meta({
    description: 'Summaries of older content by models, oldest first',
  }),
  agents: z
    .record(
      z.string(),
      z.looseObject({
        status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
        executionStart: z.string().nullable(),
        executionEnd: z.string().nullable(),
        retries: z.int(),
        outputs: part,
      }),
    )
    .meta({ description: 'Who takes part, since when, how it goes, and what each has made' }),
  quality: part.meta({
    description: 'Newest checks of inputs, scores of outputs, and the gates they passed or failed',
  }),
  metrics: part.meta({ description: 'Empty if there is nothing to measure' }),
  size: z.looseObject({ events: z.int(), bytes: z.int(), tokens: z.int() }),
  _version: z.int(),
  _lastModifiedAt: z.iso.datetime(),
  _lastModifiedBy: z.string(),
});
