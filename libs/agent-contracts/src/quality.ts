import { type Contract, outputAt } from './contract.js';
import { type RuleViolation } from './input-rules.js';

/** The name of the score to which thresholds of inputs apply. */
export const overallScore = 'overall_score';

/** `isCurrent`: the score belongs to the newest output with this name. */
export type Score = Readonly<{ value: number; isCurrent: boolean }>;

/**
 * A score below `minimum` fails. `for`: the agent that requires the threshold, if it is not the agent of the output.
 */
type Threshold = Readonly<{
  output: string;
  gate: string;
  minimum: number;
  for?: string | undefined;
}>;

/** A threshold, and the agent of the output. */
type AgentThreshold = Threshold & Readonly<{ agent: string }>;

/**
 * The thresholds of one contract: promised ones for outputs of the agent of the contract, and required ones for outputs
 * of other agents. If several inputs are parts of the same output, the highest threshold applies.
 */
export function thresholdsOf(contract: Contract): readonly AgentThreshold[] {
  const strictest = new Map<string, AgentThreshold>();
  for (const one of [...promisedThresholds(contract), ...requiredThresholds(contract)]) {
    const key = JSON.stringify([one.agent, one.output, one.gate, one.for ?? null]);
    if ((strictest.get(key)?.minimum ?? -Infinity) < one.minimum) strictest.set(key, one);
  }
  return [...strictest.values()];
}

/**
 * The thresholds for the outputs of an agent: its own promises, and the requirements of agents that need the outputs.
 */
export function thresholdsFor(
  agentId: string,
  contracts: readonly Contract[],
): readonly Threshold[] {
  return contracts
    .flatMap(thresholdsOf)
    .flatMap(({ agent, ...threshold }) => (agent === agentId ? [threshold] : []));
}

export function checkQuality(
  minimum: number | undefined,
  score: Score | undefined,
): readonly RuleViolation[] {
  if (minimum === undefined) return [];
  const rule = 'qualityThreshold';
  if (!score) return [{ rule, detail: `has no ${overallScore}, at least ${minimum} needed` }];
  if (!score.isCurrent)
    return [
      { rule, detail: `has not been scored since it was added again, at least ${minimum} needed` },
    ];
  if (score.value >= minimum) return [];
  return [{ rule, detail: `has an ${overallScore} of ${score.value}, at least ${minimum} needed` }];
}

function promisedThresholds({ agentId: agent, outputs }: Contract): readonly AgentThreshold[] {
  return [...outputs].flatMap(([output, { qualityThresholds = {} }]) =>
    Object.entries(qualityThresholds).map(([gate, minimum]) => ({ agent, output, gate, minimum })),
  );
}

function requiredThresholds(contract: Contract): readonly AgentThreshold[] {
  return contract.inputs.flatMap(({ path, rules: { qualityThreshold: minimum } }) => {
    const place = outputAt(path);
    if (minimum === undefined || !place) return [];
    const { agentId: agent, output } = place;
    return [{ agent, output, gate: overallScore, minimum, for: contract.agentId }];
  });
}
