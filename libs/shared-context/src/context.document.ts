import { type JsonObject } from '#event-sourcing';

import { renderArtifacts } from './artifacts/artifact.document.js';
import { renderDecisions } from './decisions/decision.document.js';
import { renderAllDerived } from './derived/derived.document.js';
import { renderValues } from './global/global.document.js';
import { renderHandovers } from './handovers/handover.document.js';
import { renderInputRequests } from './input-requests/input-request.document.js';
import { type Item, type ItemLookup } from './item.js';
import { renderLife } from './life/life.document.js';
import { renderLoops } from './loops/loop.document.js';
import { renderMetrics } from './metrics/metrics.document.js';
import { renderCompletedPhases } from './phases/phase.document.js';
import { renderPlan } from './plan/plan.document.js';
import { type RegisteredAgent, renderAgents } from './quality/agent.document.js';
import { renderQuality } from './quality/quality.document.js';
import { renderRecords } from './records/record.document.js';
import { renderReviews } from './reviews/review.document.js';
import { renderSignals } from './signals/signal.document.js';
import { activityOf, renderCurrentState } from './steps/step.activity.js';
import { renderStepOutputs } from './steps/step.document.js';
import { renderSummaries } from './summaries/summary.document.js';
import { renderTasks } from './tasks/task.document.js';

/** Parts of the contract that no event of this version speaks of: there, and empty. */
const laterParts = {
  handoverNotes: [],
  run: null,
} as const;

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
}>;

/**
 * The document of the contract. Every part is always there; one that nothing was said about is empty, as are the children,
 * of which no item tells.
 */
export function renderDocument(items: Iterable<Item>, facts: DocumentFacts): JsonObject {
  const all = [...items];
  const current = lookupOf(all);
  return {
    contextId: facts.contextId,
    workspace: facts.workspace,
    ...renderLife(current),
    children: [],
    globalContext: renderValues('global', all),
    currentState: renderCurrentState(activityOf(all)),
    stepOutputs: renderStepOutputs(all),
    tasks: renderTasks(all),
    decisionHistory: renderDecisions(all, current),
    userPreferences: renderValues('preference', all),
    artifactReferences: renderArtifacts(all),
    completedPhases: renderCompletedPhases(all, current),
    ...renderLoops(all),
    ...laterParts,
    ...renderHandovers(all),
    ...renderInputRequests(all),
    ...renderReviews(all),
    ...renderPlan(all),
    records: renderRecords(all),
    signals: renderSignals(all),
    agents: renderAgents(all, facts.registry),
    quality: renderQuality(all),
    derived: renderAllDerived(all),
    summaries: renderSummaries(all),
    metrics: renderMetrics(all, { current, until: facts.lastModifiedAt }),
    size: facts.size,
    _version: facts.version,
    _lastModifiedAt: facts.lastModifiedAt,
    _lastModifiedBy: facts.lastModifiedBy,
  };
}

function lookupOf(items: readonly Item[]): ItemLookup {
  const byKey = new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
  return (kind, key) => byKey.get(`${kind} ${key}`);
}
