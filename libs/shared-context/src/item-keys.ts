import { type ItemKey } from './item.js';

export function artifactKey(artifactId: string): ItemKey {
  return { kind: 'artifact', key: artifactId };
}

export function decisionKey(decisionId: string): ItemKey {
  return { kind: 'decision', key: decisionId };
}

export function stepKey(stepId: string): ItemKey {
  return { kind: 'step', key: stepId };
}

export function stepFailureKey(stepId: string): ItemKey {
  return { kind: 'step-failure', key: stepId };
}

export function stepOutputKey(stepId: string): ItemKey {
  return { kind: 'step-output', key: stepId };
}

/** The latest output with this name of an agent. */
export function namedOutputKey(agentId: string, name: string): ItemKey {
  return { kind: 'output', key: JSON.stringify([agentId, name]) };
}

/** The value of the latest output with this name of an agent, even if its step has added other outputs since. */
export function outputValueKey(agentId: string, name: string): ItemKey {
  return { ...namedOutputKey(agentId, name), kind: 'output-value' };
}
