import { inputRuleFaults } from '#event-sourcing';
import { agentId, confusableName, isConfusable } from '#shared-context';

/**
 * Why no agent can have a name that a document claims; undefined if one can. Names of principals that are not agents
 * are reserved.
 */
export function agentNameFault(name: string): string | undefined {
  const [issue] = agentId.safeParse(name).error?.issues ?? [];
  if (issue) return issue.message;
  if (isConfusable(name)) return confusableName;
  return inputRuleFaults(agentId, name).faults[0]?.detail;
}
