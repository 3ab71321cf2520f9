import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { agentsPart } from './agents/agent.document.js';
import { qualityPart } from './quality/quality.document.js';
import { artifactsPart } from './artifacts/artifact.document.js';
import { decisionsPart } from './decisions/decision.document.js';
import { derivedPart } from './derived/derived.document.js';
import { type DocumentFacts, type DocumentPart, listSchema, memberPart } from './document-part.js';
import { globalContextPart, preferencesPart } from './global/global.document.js';
import { handoversPart } from './handovers/handover.document.js';
import { inputRequestsPart } from './input-requests/input-request.document.js';
import { lifePart } from './life/life.document.js';
import { loopsPart } from './loops/loop.document.js';
import { metricsPart } from './metrics/metrics.document.js';
import { contextOutcomes, outcomeOf } from './outcome/context-outcome.js';
import { renderCurrentState } from './outcome/current-state.js';
import { completedPhasesPart } from './phases/phase.document.js';
import { planPart } from './plan/plan.document.js';
import { recordsPart } from './records/record.document.js';
import { reviewsPart } from './reviews/review.document.js';
import { runPart } from './runs/run.document.js';
import { signalsPart } from './signals/signal.document.js';
import { activityOf } from './steps/step.activity.js';
import { stepOutputsPart } from './steps/step.document.js';
import { activeSteps, failedSteps } from './steps/step.state.js';
import { summariesPart } from './summaries/summary.document.js';
import { tasksPart } from './tasks/task.document.js';

const failedStepsSchema = z
  .array(
    z.looseObject({
      stepId: z.string(),
      reason: z.string(),
      tried: z.unknown(),
      version: z.int(),
      agentId: z.string(),
    }),
  )
  .meta({ description: 'Steps whose newest attempt failed, oldest failure first' });

const currentStateSchema = z
  .looseObject({
    phase: z.string().nullable(),
    activeAgent: z.string().nullable(),
    activeTask: z.string().nullable(),
    status: z.enum(['not_started', 'in_progress', 'blocked', 'completed', 'failed']),
    activeSteps: z.array(z.string()).meta({ description: 'Ids of all running steps' }),
    failedSteps: failedStepsSchema,
  })
  .meta({ description: 'The phase, step and task that were started last and still run' });

const outcomeSchema = z.enum(contextOutcomes).meta({
  description:
    'The outcome of the context: the one stated when it was closed, else derived from its reviews, signals, blockers, failures and open work',
});

const currentStatePart: DocumentPart = {
  members: {
    currentState: { schema: currentStateSchema, searched: null },
    failedSteps: { schema: failedStepsSchema, searched: null },
    outcome: { schema: outcomeSchema, searched: null },
  },
  kinds: [],
  activity: true,
  render: (items, { facts }) => {
    const activity = facts.activity ?? activityOf(items, facts.counted);
    const failed = failedSteps(items);
    const steps = { activeSteps: activeSteps(items), failedSteps: failed };
    return {
      currentState: { ...renderCurrentState(activity), ...steps },
      failedSteps: failed,
      outcome: outcomeOf(activity),
    };
  },
};

const childrenPart = memberPart('children', {
  schema: listSchema.meta({
    description: 'Contexts whose parent is this one, oldest first, with their progress',
  }),
  searched: null,
  kinds: [],
  // The caller adds the children, as no item represents them.
  render: () => [],
});

const sizeSchema = z.looseObject({ events: z.int(), bytes: z.int(), tokens: z.int() });

/** The members of a document in their order. */
export const documentParts: readonly DocumentPart[] = [
  factsPart({ contextId: z.string(), workspace: z.string() }, ({ contextId, workspace }) => ({
    contextId,
    workspace,
  })),
  lifePart,
  childrenPart,
  globalContextPart,
  currentStatePart,
  stepOutputsPart,
  tasksPart,
  decisionsPart,
  preferencesPart,
  artifactsPart,
  completedPhasesPart,
  loopsPart,
  handoversPart,
  runPart,
  inputRequestsPart,
  reviewsPart,
  planPart,
  recordsPart,
  signalsPart,
  agentsPart,
  qualityPart,
  derivedPart,
  summariesPart,
  metricsPart,
  factsPart({ size: sizeSchema }, ({ size }) => ({ size })),
  factsPart({ _version: z.int() }, ({ version }) => ({ _version: version })),
  factsPart(
    { _lastModifiedAt: z.iso.datetime(), _lastModifiedBy: z.string() },
    ({ lastModifiedAt, lastModifiedBy }) => ({
      _lastModifiedAt: lastModifiedAt,
      _lastModifiedBy: lastModifiedBy,
    }),
  ),
];

function factsPart(
  schemas: Readonly<Record<string, z.ZodType>>,
  render: (facts: DocumentFacts) => JsonObject,
): DocumentPart {
  const members = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { schema, searched: null }]),
  );
  return { members, kinds: [], render: (_, { facts }) => render(facts) };
}
