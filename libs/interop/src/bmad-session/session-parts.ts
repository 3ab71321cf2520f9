import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';

const knownMembers: ReadonlySet<string> = new Set([
  'session_id',
  'project_metadata',
  'workflow_state',
  'agent_contexts',
  'global_context',
  'validation_history',
  'decision_log',
]);

/** Members of the global context that are other parts of a session. */
export const ownMembers: ReadonlySet<string> = new Set(['workflow_state', 'session']);

/** The global context without the other parts of a session in it. */
export function sharedContext({ globalContext }: ContextDocument): JsonObject {
  // Values of a document are JSON.
  const members = Object.entries(globalContext as JsonObject);
  return Object.fromEntries(members.filter(([name]) => !ownMembers.has(name)));
}

/** The imported state of the workflow; for a context that was not imported, a state with the completed steps. */
export function workflowState(document: ContextDocument): JsonValue {
  const stated = document.globalContext['workflow_state'];
  if (stated !== undefined) return stated as JsonValue;
  return { completed_steps: Object.keys(document.stepOutputs) };
}

/** Members of a session that the format does not have. */
export function otherMembers({ globalContext }: ContextDocument): JsonObject {
  const others = globalContext['session'];
  if (!isJsonObject(others)) return {};
  return Object.fromEntries(Object.entries(others).filter(([name]) => !knownMembers.has(name)));
}
