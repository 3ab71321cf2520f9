import { type AgentDefinition, ContractError, readContract } from '#agent-contracts';
import { TemplateError, parseTemplate } from '#context-views';

import { InvalidInputError } from '../errors.js';

type Fault = Readonly<{ pointer: string; detail: string }>;

/**
 * Throws {@link InvalidInputError} with all faults of a definition that fits its schema. Definitions that were stored earlier
 * may have templates that do not parse; new ones may not.
 */
export function refuseFaults(agentId: string, definition: AgentDefinition): void {
  const faults = [...contractFaults(agentId, definition), ...templateFaults(definition)];
  if (faults.length > 0) throw new InvalidInputError(faults);
}

function contractFaults(agentId: string, definition: AgentDefinition): readonly Fault[] {
  try {
    readContract(agentId, definition);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.issues;
    throw error;
  }
}

function templateFaults({ template }: AgentDefinition): readonly Fault[] {
  if (template === undefined) return [];
  try {
    parseTemplate(template);
    return [];
  } catch (error) {
    if (error instanceof TemplateError) return [{ pointer: '/template', detail: error.message }];
    throw error;
  }
}
