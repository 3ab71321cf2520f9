import { type JsonObject } from '#event-sourcing';

import { agentsPart } from './agents/agent.document.js';
import { qualityPart } from './agents/quality.document.js';
import { artifactsPart } from './artifacts/artifact.document.js';
import { decisionsPart } from './decisions/decision.document.js';
import { derivedPart } from './derived/derived.document.js';
import { type DocumentFacts, type DocumentPart, memberPart } from './document-part.js';
import { globalContextPart, preferencesPart } from './global/global.document.js';
import { handoversPart } from './handovers/handover.document.js';
import { inputRequestsPart } from './input-requests/input-request.document.js';
import { lifePart } from './life/life.document.js';
import { loopsPart } from './loops/loop.document.js';
import { metricsPart } from './metrics/metrics.document.js';
import { outcomeOf } from './outcome/context-outcome.js';
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

const currentStatePart: DocumentPart = {
  members: ['currentState', 'failedSteps', 'outcome'],
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

/** The members of a document in their order. */
export const documentParts: readonly DocumentPart[] = [
  ofFacts(['contextId', 'workspace'], ({ contextId, workspace }) => ({ contextId, workspace })),
  lifePart,
  // No item says what children a context has.
  memberPart('children', { kinds: [], render: () => [] }),
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
  ofFacts(['size'], ({ size }) => ({ size })),
  ofFacts(['_version'], ({ version }) => ({ _version: version })),
  ofFacts(['_lastModifiedAt', '_lastModifiedBy'], ({ lastModifiedAt, lastModifiedBy }) => ({
    _lastModifiedAt: lastModifiedAt,
    _lastModifiedBy: lastModifiedBy,
  })),
];

function ofFacts(
  members: readonly string[],
  render: (facts: DocumentFacts) => JsonObject,
): DocumentPart {
  return { members, kinds: [], render: (_, { facts }) => render(facts) };
}
