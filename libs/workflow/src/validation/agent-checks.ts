import { type DefinitionModel } from '../definition/definition-model.js';
import { kindOf } from '../definition/step-kinds.js';
import { type Report } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

/** The agents of a workspace; `has` knows which names are those of one agent. */
export type KnownAgents = Readonly<{ names: readonly string[]; has: (name: string) => boolean }>;

/** Agents need not be registered to take work, but a misspelt one never does. */
export function checkAgents(model: DefinitionModel, known: KnownAgents, report: Report): void {
  for (const { step, pointer } of model.placed)
    for (const [member, agent] of Object.entries(kindOf(step, model.kinds).agents(step))) {
      if (known.has(agent)) continue;
      const suggestion = suggest(agent, known.names);
      report({
        ...{ code: 'unknown-agent', pointer: `${pointer}/${member}`, suggestion },
        message: `no agent ${agent} is registered: the step waits until somebody takes its work${didYouMean(suggestion)}`,
      });
    }
}
