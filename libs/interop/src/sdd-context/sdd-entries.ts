import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { defined } from '../json/defined.js';
import { splitRequirement } from './requirement-text.js';

type Entry<List extends keyof ContextDocument> =
  ContextDocument[List] extends readonly (infer One)[] ? One : never;

/** Entries of a context in the format of a context.json, without empty members. */
export function handoverEntry(handover: Entry<'handoverNotes'>): JsonObject {
  return entryOf({
    from: handover.from ?? undefined,
    to: handover.to,
    timestamp: handover.timestamp ?? undefined,
    priority: handover.priority,
    note: handover.note,
    related_artifacts: handover.relatedArtifacts,
    action_items: handover.actionItems,
  });
}

export function reviewEntry(review: Entry<'reviewHistory'>): JsonObject {
  return entryOf({
    artifact: review.artifact,
    iteration: review.iteration,
    reviewer: review.reviewer ?? undefined,
    status: review.status,
    timestamp: review.timestamp ?? undefined,
    key_issues: review.keyIssues.map(({ text }) => text),
    review_file: review.reviewFile,
  });
}

export function riskEntry(risk: Entry<'risks'>): JsonObject {
  const { riskId, severity, description, mitigation, status } = risk;
  return entryOf({ id: riskId, severity, description, mitigation, status });
}

/**
 * `F-1: text`; an object if that would be read as another id or text. `place`: the list and the index, which name
 * entries without an id.
 */
export function requirementEntry(
  { requirementId, text }: Entry<'requirements'>,
  place: string,
): JsonValue {
  const read = splitRequirement(text);
  if (requirementId === place && read.id === undefined) return text;
  const line = `${requirementId}: ${text}`;
  const again = splitRequirement(line);
  return again.id === requirementId && again.text === text ? line : { id: requirementId, text };
}

/** `before`: iterations of the phase before the import. */
export function phaseEntry(phase: Entry<'completedPhases'>, before: number): JsonObject {
  const iterations = before + phase.iterations;
  return entryOf({
    phase: phase.phase,
    agent: phase.agent ?? undefined,
    completed_at: phase.completedAt ?? undefined,
    iterations: iterations > 0 ? iterations : undefined,
    outputs: phase.outputs,
  });
}

function entryOf(members: Readonly<Record<string, unknown>>): JsonObject {
  // Entries of a document are JSON throughout.
  return defined(members) as JsonObject;
}
