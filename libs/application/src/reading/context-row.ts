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

/** What a list says of a context beside its head. */
type SummaryFacts = Readonly<{
  /** From how many tokens on a context is too large. */
  tokenThreshold: number;
  /** What stands in its way or is about to; undefined if nothing is. */
  obstacles: Obstacles | undefined;
}>;

/** A context is near its threshold from this part of it on. */
export const nearThreshold = 0.8;

/** A context as a list shows it to who sees everything. */
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

/** What every audience sees of a context; of members that follow from other events, nothing. */
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

/** A context that was only just created is at version 1, projected or not. */
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

/** One that the next iteration trips, or that is tripped. */
function showBreaker(loop: Item): JsonObject {
  const { current, max } = loopFacts(loop);
  return { subject: loop.key, current, max, status: breakerStatusOf(loopFacts(loop)) };
}

type SizeWarning = Readonly<{
  code: 'near-token-threshold' | 'over-token-threshold';
  tokens: number;
  threshold: number;
}>;

/** `near-token-threshold` from 80 % on, `over-token-threshold` beyond it; null below. */
export function warningOf(tokens: number, threshold: number): SizeWarning | null {
  if (tokens < threshold * nearThreshold) return null;
  const code = tokens > threshold ? 'over-token-threshold' : 'near-token-threshold';
  return { code, tokens, threshold };
}
