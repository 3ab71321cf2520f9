export { type AgentDefinition, agentDefinition, type InputRules } from './agent.schema.js';
export { type Findings, type InputValue, checkBudget, checkInputs } from './check-inputs.js';
export {
  type Contract,
  type ContractInput,
  type OutputPlace,
  outputAt,
  readContract,
} from './contract.js';
export { checkOutput } from './check-output.js';
export { ContractError } from './contract.error.js';
export { contractLimits, runningAttemptsLimit } from './limits.js';
export { type Score, overallScore, thresholdsFor, thresholdsOf } from './quality.js';
