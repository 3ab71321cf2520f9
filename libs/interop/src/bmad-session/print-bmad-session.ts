import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite } from '../documents/document-format.js';
import { decisionEntry } from '../json/decision-entry.js';
import { agentStates, outputsOf } from './session-outputs.js';
import { otherMembers, sharedContext, workflowState } from './session-parts.js';

/** A session of a context that was not imported from one. */
export function printBmadSession({ document, baseline }: ContextToWrite): string {
  const history = isJsonObject(baseline?.history) ? baseline.history : {};
  const { session_id: sessionId, ...metadata } = document.metadata as JsonObject;
  const title = document.title === null ? {} : { name: document.title };
  const session = {
    session_id: sessionId ?? document.contextId,
    project_metadata: { ...title, created_at: document.createdAt, ...metadata },
    workflow_state: workflowState(document),
    agent_contexts: agentsOf(document, history['agent_contexts']),
    global_context: sharedContext(document),
    validation_history: history['validation_history'] ?? [],
    decision_log: document.decisionHistory.map(decisionEntry),
  };
  return `${JSON.stringify({ ...session, ...otherMembers(document) }, null, 2)}\n`;
}

function agentsOf(document: ContextDocument, history: JsonValue | undefined): JsonObject {
  const agentHistory = isJsonObject(history) ? history : {};
  const outputs = Map.groupBy(outputsOf(document), ({ path: [, agentId] }) => agentId);
  const states = agentStates(document);
  const agentIds = new Set([...outputs.keys(), ...states.keys(), ...Object.keys(agentHistory)]);
  return Object.fromEntries(
    Array.from(agentIds, (agentId) => {
      const own = outputs.get(agentId) ?? [];
      const values = own.map(({ path, value }) => [path[3], value] as const);
      const before = agentHistory[agentId];
      const state = { ...states.get(agentId), outputs: Object.fromEntries(values) };
      return [agentId, { ...state, ...(isJsonObject(before) ? before : {}) }];
    }),
  );
}
