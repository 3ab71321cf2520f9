import { ExpressionError } from '#expressions';
import { type PlacedPath, placedPath } from '#transformations';

import { type AgentDefinition, type InputRules, type OutputRules } from './agent.schema.js';
import { ContractError, type ContractIssue } from './contract.error.js';

/** An input of an agent: its name in the contract, its path and its rules. */
export type ContractInput = Readonly<{ name: string; path: PlacedPath; rules: InputRules }>;

/** The inputs and outputs of a registered agent, with parsed paths. */
export type Contract = Readonly<{
  agentId: string;
  inputs: readonly ContractInput[];
  outputs: ReadonlyMap<string, OutputRules>;
}>;

/** The output of an agent to which, or into which, a path leads. */
export type OutputPlace = Readonly<{ agentId: string; output: string }>;

/** Parses the paths of a contract. Throws {@link ContractError} with all faults. */
export function readContract(agentId: string, { contract = {} }: AgentDefinition): Contract {
  const issues: ContractIssue[] = [];
  const inputs = Object.entries(contract.inputs ?? {}).flatMap(([name, rules]) => {
    const read = readInput(name, rules);
    if ('detail' in read) issues.push(read);
    return 'detail' in read ? [] : [read];
  });
  if (issues.length > 0) throw new ContractError(issues);
  return { agentId, inputs, outputs: new Map(Object.entries(contract.outputs ?? {})) };
}

/** Undefined if the path does not lead to an output. */
export function outputAt({ place }: PlacedPath): OutputPlace | undefined {
  return place.kind === 'output' ? { agentId: place.agentId, output: place.name } : undefined;
}

function readInput(name: string, rules: InputRules): ContractInput | ContractIssue {
  const pointer = `/contract/inputs/${name}`;
  try {
    const path = placedPath(rules.path);
    if (rules.qualityThreshold !== undefined && !outputAt(path))
      return {
        pointer: `${pointer}/qualityThreshold`,
        detail: 'only outputs are scored: the path must lead to one, or into it',
      };
    return { name, path, rules };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return {
      pointer: `${pointer}/path`,
      detail: `${error.reason}, at character ${error.position + 1}`,
    };
  }
}
