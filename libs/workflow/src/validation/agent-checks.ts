import { inputRuleFaults } from '#event-sourcing';
import { agentId, confusableName, isConfusable, isSameAgent } from '#shared-context';

import { type DefinitionModel } from '../definition/definition-model.js';
import { kindOf } from '../definition/step-kinds.js';
import { type Report } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

/** The agents of a workspace; `has` knows all names of an agent. */
export type KnownAgents = Readonly<{ names: readonly string[]; has: (name: string) => boolean }>;

/** Conclusions of the interpreter are stored under this name. */
const interpreterName = 'executor';

/** A step whose agent cannot be a principal would wait forever, or be confused with another agent's step. */
export function checkAgentNames(model: DefinitionModel, report: Report): void {
  for (const { step, pointer } of model.placed)
    for (const [member, agent] of Object.entries(kindOf(step, model.kinds).agents(step))) {
      const fault = nameFault(agent);
      if (fault === undefined) continue;
      const message = `${fault}: use another name for the agent`;
      report({ code: 'agent-name', message, pointer: `${pointer}/${member}` });
    }
}

function nameFault(agent: string): string | undefined {
  if (isSameAgent(agent, interpreterName))
    return `"${interpreterName}" is the name of the interpreter of runs`;
  if (isConfusable(agent)) return `the name ${confusableName}`;
  const parsed = agentId.safeParse(agent);
  if (!parsed.success) return `the name ${parsed.error.issues[0]?.message ?? 'is not an agent id'}`;
  const [ruled] = inputRuleFaults(agentId, agent).faults;
  return ruled && `the name ${ruled.detail}`;
}

/** Agents need not be registered to take work, but no worker claims the work of a misspelled name. */
export function checkAgents(model: DefinitionModel, known: KnownAgents, report: Report): void {
  for (const { step, pointer } of model.placed)
    for (const [member, agent] of Object.entries(kindOf(step, model.kinds).agents(step))) {
      if (known.has(agent)) continue;
      const suggestion = suggest(agent, known.names);
      report({
        code: 'unknown-agent',
        pointer: `${pointer}/${member}`,
        suggestion,
        message: `no agent ${agent} is registered: the step waits until a worker claims it${didYouMean(suggestion)}`,
      });
    }
}
