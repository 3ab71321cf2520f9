import { type JsonObject } from '#event-sourcing';
import { type Obstacles } from '#read-models';
import {
  type ContextHead,
  type Item,
  breakerStatusOf,
  loopFacts,
  outcomeOf,
  renderCurrentState,
} from '#shared-context';

/** The facts in a row of a list that are not in the head of the context. */
type SummaryFacts = Readonly<{
  /** A context with more tokens is too large. */
  tokenThreshold: number;
  /** Open blockers, and breakers that are tripped or near their limit; undefined if there are none. */
  obstacles: Obstacles | undefined;
}>;

/** From this fraction of the threshold on, a context is near it. */
export const nearThreshold = 0.8;

/** The row of a context in a list, for readers who see everything. */
export function renderContextRow(
  head: ContextHead,
  { tokenThreshold, obstacles }: SummaryFacts,
): JsonObject {
  return {
    ...renderLife(head),
    updatedAt: head.modifiedAt,
    updatedBy: head.modifiedBy,
    ...currentStateOf(head),
    openBlockers: obstacles?.openBlockers ?? 0,
    breakersNearLimit: (obstacles?.loops ?? []).map(showBreaker),
    events: Math.max(head.version, 1),
    bytes: head.bytes,
    tokens: head.tokens,
    imported: head.imported,
    warning: warningOf(head.tokens, tokenThreshold),
  };
}

/** The row of a context that is visible to every audience: null for members that other events determine. */
export function renderOutline(head: ContextHead): JsonObject {
  return {
    ...renderLife(head),
    updatedAt: null,
    updatedBy: null,
    phase: null,
    activeAgent: null,
    outcome: statedOutcomeOf(head),
    openBlockers: null,
    breakersNearLimit: null,
    events: null,
    bytes: null,
    tokens: null,
    imported: null,
    warning: null,
  };
}

/** Closings are visible to every audience; an outcome derived from other events is not. */
function statedOutcomeOf({ activity: { closing } }: ContextHead) {
  return closing === 'unstated' ? null : closing;
}

/** A new context has version 1, even if it is not projected yet. */
function renderLife(head: ContextHead): JsonObject {
  return {
    contextId: head.contextId,
    workspace: head.workspace,
    title: head.title,
    status: head.status,
    workflow: head.workflowId,
    parent: head.parent,
    createdAt: head.createdAt,
    createdBy: head.createdBy,
    version: Math.max(head.version, 1),
  };
}

function currentStateOf({ activity }: ContextHead): JsonObject {
  const { phase = null, activeAgent = null } = renderCurrentState(activity);
  return { phase, activeAgent, outcome: outcomeOf(activity) };
}

/** A breaker that is tripped, or that the next iteration trips. */
function showBreaker(loop: Item): JsonObject {
  const { current, max } = loopFacts(loop);
  return { subject: loop.key, current, max, status: breakerStatusOf(loopFacts(loop)) };
}

type SizeWarning = Readonly<{
  code: 'near-token-threshold' | 'over-token-threshold';
  tokens: number;
  threshold: number;
}>;

/** `near-token-threshold` from 80 % of the threshold on, `over-token-threshold` above it; null below. */
export function warningOf(tokens: number, threshold: number): SizeWarning | null {
  if (tokens < threshold * nearThreshold) return null;
  const code = tokens > threshold ? 'over-token-threshold' : 'near-token-threshold';
  return { code, tokens, threshold };
}
