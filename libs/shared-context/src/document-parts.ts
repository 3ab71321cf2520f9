import { type JsonObject, type JsonValue } from '#event-sourcing';

import { renderArtifacts } from './artifacts/artifact.document.js';
import { renderDecisions } from './decisions/decision.document.js';
import { renderAllDerived } from './derived/derived.document.js';
import { renderValues } from './global/global.document.js';
import { renderHandovers } from './handovers/handover.document.js';
import { renderInputRequests } from './input-requests/input-request.document.js';
import { type Item, type ItemKind, type ItemLookup } from './item.js';
import { renderLife } from './life/life.document.js';
import { renderLoops } from './loops/loop.document.js';
import { type Activity } from './outcome/activity.js';
import { outcomeOf } from './outcome/context-outcome.js';
import { renderCurrentState } from './outcome/current-state.js';
import { renderMetrics } from './metrics/metrics.document.js';
import { renderCompletedPhases } from './phases/phase.document.js';
import { renderPlan } from './plan/plan.document.js';
import { type RegisteredAgent, renderAgents } from './agents/agent.document.js';
import { renderQuality } from './agents/quality.document.js';
import { renderRecords } from './records/record.document.js';
import { renderReviews } from './reviews/review.document.js';
import { renderRun } from './runs/run.document.js';
import { renderSignals } from './signals/signal.document.js';
import { activityOf } from './steps/step.activity.js';
import { renderStepOutputs } from './steps/step.document.js';
import { activeSteps, failedSteps } from './steps/step.state.js';
import { renderSummaries } from './summaries/summary.document.js';
import { renderTasks } from './tasks/task.document.js';

/** What the items do not know of their context. */
export type DocumentFacts = Readonly<{
  workspace: string;
  contextId: string;
  version: number;
  lastModifiedAt: string;
  lastModifiedBy: string;
  size: Readonly<{ events: number; bytes: number; tokens: number }>;
  /** The agents of the workspace as they were registered when the context was last written to. */
  registry?: readonly RegisteredAgent[] | undefined;
  /** The activity of the context, if it is known without the items that it is computed from. */
  activity?: Activity | undefined;
  /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
  counted?: boolean | undefined;
}>;

/** What the parts of a document are rendered from beside their items. */
export type Beside = Readonly<{ facts: DocumentFacts; current: ItemLookup }>;

/** Members of the document that are rendered together. */
type DocumentPart = Readonly<{
  members: readonly string[];
  /** Kinds of the items whose payloads it shows. */
  kinds: readonly ItemKind[];
  /** Kinds of which it needs the state alone. */
  states?: readonly ItemKind[];
  /** Whether the part shows the activity, which is computed from items of many kinds unless it is known. */
  activity?: boolean;
  render: (items: readonly Item[], beside: Beside) => JsonObject;
}>;

/** The members of a document in their order. */
export const documentParts: readonly DocumentPart[] = [
  ofFacts(['contextId', 'workspace'], ({ contextId, workspace }) => ({ contextId, workspace })),
  {
    members: [
      'title',
      'status',
      'createdAt',
      'createdBy',
      'parent',
      'continues',
      'metadata',
      'workflow',
      'input',
    ],
    kinds: ['life', 'creation'],
    render: (_, { current }) => renderLife(current),
  },
  // No item says what children a context has.
  part('children', [], () => []),
  part('globalContext', ['global'], (items) => renderValues('global', items)),
  {
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
  },
  part('stepOutputs', ['step-output'], renderStepOutputs),
  part('tasks', ['task'], renderTasks),
  part('decisionHistory', ['decision'], (items) => renderDecisions(items)),
  part('userPreferences', ['preference'], (items) => renderValues('preference', items)),
  part('artifactReferences', ['artifact'], renderArtifacts),
  part('completedPhases', ['phase', 'loop'], (items, { current }) =>
    renderCompletedPhases(items, current),
  ),
  { members: ['iterationCounts', 'circuitBreakers'], kinds: ['loop'], render: renderLoops },
  { members: ['handoverNotes'], kinds: ['handover'], render: renderHandovers },
  {
    members: ['run'],
    kinds: ['run'],
    states: ['run-step'],
    render: (items, { facts: { contextId }, current }) => ({
      run: renderRun(contextId, items, current),
    }),
  },
  { members: ['inputRequests'], kinds: ['input-request'], render: renderInputRequests },
  { members: ['reviewHistory', 'openIssues'], kinds: ['review', 'issue'], render: renderReviews },
  {
    members: ['requirements', 'risks', 'dependencies'],
    kinds: ['requirement', 'risk', 'dependency', 'blocker'],
    render: renderPlan,
  },
  part('records', ['record'], renderRecords),
  part('signals', ['signal'], renderSignals),
  {
    members: ['agents'],
    kinds: ['input-check', 'scores'],
    states: ['step', 'step-output', 'step-failure', 'output', 'task', 'phase'],
    render: (items, { facts }) => ({ agents: renderAgents(items, facts.registry) }),
  },
  {
    members: ['quality'],
    kinds: ['input-check', 'scores'],
    states: ['output'],
    render: (items, { facts }) => ({ quality: renderQuality(items, facts.registry) }),
  },
  part('derived', ['derived'], renderAllDerived),
  part('summaries', ['summary'], renderSummaries),
  part(
    'metrics',
    ['task', 'phase', 'loop', 'review', 'baseline', 'creation'],
    (items, { current, facts }) => renderMetrics(items, { current, until: facts.lastModifiedAt }),
  ),
  ofFacts(['size'], ({ size }) => ({ size })),
  ofFacts(['_version'], ({ version }) => ({ _version: version })),
  ofFacts(['_lastModifiedAt', '_lastModifiedBy'], ({ lastModifiedAt, lastModifiedBy }) => ({
    _lastModifiedAt: lastModifiedAt,
    _lastModifiedBy: lastModifiedBy,
  })),
];

/** A part that is one member. */
function part(
  member: string,
  kinds: readonly ItemKind[],
  render: (items: readonly Item[], beside: Beside) => JsonValue,
): DocumentPart {
  return {
    members: [member],
    kinds,
    render: (items, beside) => ({ [member]: render(items, beside) }),
  };
}

function ofFacts(
  members: readonly string[],
  render: (facts: DocumentFacts) => JsonObject,
): DocumentPart {
  return { members, kinds: [], render: (_, { facts }) => render(facts) };
}
