import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { itemRef } from '../documents/item-ref.js';
import { decisionEntry } from '../json/decision-entry.js';
import { JsonPart } from '../json/json-part.js';
import { JsonPatch } from '../json/json-patch.js';
import { patchObject } from '../json/patch-object.js';
import { type PatchedSource } from '../json/patched-sources.js';
import { agentStates, outputsOf } from './session-outputs.js';
import { otherMembers, sharedContext } from './session-parts.js';

/** The session with the changes since its import; all other text is unchanged. */
export function patchBmadSession(document: ContextDocument, source: PatchedSource): string {
  const { before } = source.written;
  const patch = new JsonPatch(source.json);
  patchOutputs(patch, document, source);
  patchAgents(patch, document, source);
  patchDecisions(patch, document, source);
  patchObject(patch, ['global_context'], [sharedContext(before), sharedContext(document)]);
  patchObject(patch, ['workflow_state'], [stateIn(before), stateIn(document)]);
  patchObject(patch, [], [otherMembers(before), otherMembers(document)]);
  return patch.print();
}

function stateIn({ globalContext }: ContextDocument): JsonObject {
  const state = globalContext['workflow_state'];
  return isJsonObject(state) ? state : {};
}

function patchOutputs(patch: JsonPatch, document: ContextDocument, source: PatchedSource): void {
  const before = new Map(outputsOf(source.written.before).map((one) => [one.ref, one.value]));
  for (const { ref, path, value } of outputsOf(document)) {
    const place = source.places.pathIn(['agent_contexts'], ref);
    const then = before.get(ref);
    if (!place && source.isNew(ref)) patch.set(path, value);
    if (!place) continue;
    if (isJsonObject(value) && isJsonObject(then)) patchObject(patch, place, [then, value]);
    else if (JSON.stringify(then) !== JSON.stringify(value)) patch.set(place, value);
  }
}

function patchAgents(
  patch: JsonPatch,
  document: ContextDocument,
  { json, written, isFirst }: PatchedSource,
) {
  if (!isFirst) return;
  const before = agentStates(written.before);
  const agents = new Map(new JsonPart(json).member('agent_contexts')?.members());
  for (const [agentId, now] of agentStates(document)) {
    const then = before.get(agentId) ?? {};
    const counted = agents.get(agentId)?.member('retries')?.value();
    const states = [then, withRetries(counted, then, now)] as const;
    patchObject(patch, ['agent_contexts', agentId], states);
  }
}

/** Adds later retries to the number in the imported session. */
function withRetries(counted: unknown, then: JsonObject, now: JsonObject): JsonObject {
  if (typeof counted !== 'number' || then['retries'] === now['retries']) return now;
  return { ...now, retries: counted + Number(now['retries']) - Number(then['retries'] ?? 0) };
}

function patchDecisions(patch: JsonPatch, document: ContextDocument, source: PatchedSource): void {
  const before = new Map(
    source.written.before.decisionHistory.map((one) => [one.decisionId, decisionEntry(one)]),
  );
  for (const decision of document.decisionHistory) {
    const ref = itemRef('decision', decision.decisionId);
    const place = source.places.pathIn(['decision_log'], ref);
    const entry = decisionEntry(decision);
    if (!place && source.isNew(ref)) patch.append(['decision_log'], entry);
    if (place) patchObject(patch, place, [before.get(decision.decisionId) ?? entry, entry]);
  }
}
