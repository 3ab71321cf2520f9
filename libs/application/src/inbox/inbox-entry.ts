import { type JsonObject } from '#event-sourcing';
import { type ListedWork, type WorkKind, workOf } from '#read-models';
import {
  type Item,
  type ItemKind,
  priorities,
  Staleness,
  renderDecision,
  renderHandover,
  renderInputRequest,
  publicApprovalId,
  renderLoop,
  stepFacts,
} from '#shared-context';

type Entry = Readonly<{ kind: string; render: (item: Item, contextId: string) => JsonObject }>;

const entries: Readonly<Partial<Record<ItemKind, Entry>>> = {
  handover: { kind: 'handover', render: renderHandover },
  'input-request': { kind: 'input-request', render: renderInputRequest },
  decision: { kind: 'decision', render: pendingDecision },
  loop: { kind: 'circuit-breaker', render: renderLoop },
  'run-step': { kind: 'run', render: renderRunStep },
} satisfies Partial<Record<WorkKind, Entry>>;

/** Renders open work as the document of its context does; empty if the work is not due. */
export function renderInboxEntry({ id, title }: ListedWork, item: Item): readonly JsonObject[] {
  const work = workOf(item);
  const entry = entries[item.kind];
  if (!work?.due || !entry) return [];
  const { contextId } = id;
  const priority = priorities[work.priority] ?? null;
  return [
    { contextId, title, kind: entry.kind, priority, entry: entry.render(item, id.contextId) },
  ];
}

/** An attempt that waits for its agent, or a question that waits for a person. */
function renderRunStep(item: Item, contextId: string): JsonObject {
  const { runId, path, visit, attempt, dueAt, approval } = stepFacts(item);
  const step = { runId, stepId: item.key, path, visit, attempt };
  if (!approval) return { ...step, dueAt, approval: null };
  const { message, requestedAt, expiresAt } = approval;
  const approvalId = publicApprovalId(contextId, approval.approvalId);
  return { ...step, dueAt: null, approval: { approvalId, message, requestedAt, expiresAt } };
}

/** Omits `stale`: it depends on other items of the context, which are not read here. */
function pendingDecision(item: Item): JsonObject {
  const decision = Object.entries(renderDecision(item, Staleness.none));
  return Object.fromEntries(decision.filter(([name]) => name !== 'stale'));
}
