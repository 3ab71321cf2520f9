import { inputRuleFaults } from '#event-sourcing';
import { agentId, confusableName, isConfusable } from '#shared-context';

/** Why no agent may have a name that a document claims; undefined if one may. Names of principals that are no agents are reserved. */
export function agentNameFault(name: string): string | undefined {
  const [issue] = agentId.safeParse(name).error?.issues ?? [];
  if (issue) return issue.message;
  if (isConfusable(name)) return confusableName;
  return inputRuleFaults(agentId, name).faults[0]?.detail;
}
