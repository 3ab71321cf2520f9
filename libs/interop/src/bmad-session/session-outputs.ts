import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { itemRef } from '../documents/item-ref.js';

/** The newest output of a step, and its location in a session. */
type SessionOutput = Readonly<{
  ref: string;
  path: readonly [string, string, 'outputs', string];
  value: JsonValue;
}>;

/** Outputs by the agents that wrote them. An output without a name has the name of its step. */
export function outputsOf(document: ContextDocument): readonly SessionOutput[] {
  const named = new Map(
    Object.entries(document.agents).flatMap(([agentId, agent]) =>
      namedOutputs(agent).map(({ name, stepId }) => [stepId, { agentId, name }] as const),
    ),
  );
  return Object.entries(document.stepOutputs).map(([stepId, value]) => {
    const { agentId, name } = named.get(stepId) ?? { agentId: 'workflow', name: stepId };
    return {
      ref: itemRef('step-output', stepId),
      path: ['agent_contexts', agentId, 'outputs', name] as const,
      // Outputs of a document are JSON.
      value: value as JsonValue,
    };
  });
}

/** The status of each agent, in the words of a session. */
export function agentStates(document: ContextDocument): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries(document.agents).flatMap(([agentId, agent]) =>
      isJsonObject(agent) ? [[agentId, stateOf(agent)] as const] : [],
    ),
  );
}

function stateOf(agent: JsonObject): JsonObject {
  return {
    status: agent['status'] ?? 'pending',
    execution_start: agent['executionStart'] ?? null,
    execution_end: agent['executionEnd'] ?? null,
    retries: agent['retries'] ?? 0,
  };
}

function namedOutputs(agent: unknown) {
  const outputs = isJsonObject(agent) ? agent['outputs'] : undefined;
  return Object.entries(isJsonObject(outputs) ? outputs : {}).flatMap(([name, output]) => {
    const stepId = isJsonObject(output) ? output['stepId'] : undefined;
    return typeof stepId === 'string' ? [{ name, stepId }] : [];
  });
}
