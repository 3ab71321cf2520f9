import { type JsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { defined } from './defined.js';

/**
 * A decision as JSON documents have it. The status of a decision in force is omitted, and that of a superseded one
 * follows from `supersedes` of the other.
 */
export function decisionEntry(decision: ContextDocument['decisionHistory'][number]): JsonObject {
  const { relatedDecisions: related, status } = decision;
  const isEnded = status === 'pending' || status === 'rejected' || status === 'deprecated';
  const entry = defined({
    id: decision.decisionId,
    made_by: decision.agentId ?? undefined,
    timestamp: decision.timestamp ?? undefined,
    decision: decision.decision,
    rationale: decision.rationale,
    alternatives_considered: decision.alternativesConsidered,
    trade_offs: decision.tradeOffs,
    related_requirements: decision.relatedRequirements,
    related_decisions: related?.map(({ decisionId }) => decisionId),
    supersedes: decision.supersedes,
    status: isEnded ? status : undefined,
  });
  // Entries of a document are JSON throughout.
  return entry as JsonObject;
}
