import { ExpressionError } from '#expressions';
import { type PlacedPath, placedPath } from '#transformations';

import { type AgentDefinition, type InputRules, type OutputRules } from './agent.schema.js';
import { ContractError, type ContractIssue } from './contract.error.js';

/** One thing an agent needs: its name in the contract, where it stands, and what it must be like. */
export type ContractInput = Readonly<{ name: string; path: PlacedPath; rules: InputRules }>;

/** What an agent of the registry needs and promises; its paths have been read. */
export type Contract = Readonly<{
  agentId: string;
  inputs: readonly ContractInput[];
  outputs: ReadonlyMap<string, OutputRules>;
}>;

/** The output of an agent that a path leads to, or into. */
export type OutputPlace = Readonly<{ agentId: string; output: string }>;

/** Reads the paths of a contract. Throws {@link ContractError} with every fault. */
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

/** Undefined if it leads elsewhere. */
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
