import { type Contract, outputAt } from './contract.js';
import { type Broken } from './input-rules.js';

/** The measure to which thresholds of inputs apply. */
export const overallScore = 'overall_score';

/** `isCurrent`: it was given to the newest output of its name, not to one before it. */
export type Score = Readonly<{ value: number; isCurrent: boolean }>;

/** A score below `minimum` fails; `for` is the agent that asks for it, where that is not the output's own. */
type Threshold = Readonly<{
  output: string;
  gate: string;
  minimum: number;
  for?: string | undefined;
}>;

/** A threshold, and whose output it is for. */
type AgentThreshold = Threshold & Readonly<{ agent: string }>;

/**
 * The thresholds of one contract: those that it promises for its agent's own outputs, and those that it requires of others'.
 * If several inputs are parts of the same output, the highest threshold applies.
 */
export function thresholdsOf(contract: Contract): readonly AgentThreshold[] {
  const strictest = new Map<string, AgentThreshold>();
  for (const one of [...promised(contract), ...needed(contract)]) {
    const key = JSON.stringify([one.agent, one.output, one.gate, one.for ?? null]);
    if ((strictest.get(key)?.minimum ?? -Infinity) < one.minimum) strictest.set(key, one);
  }
  return [...strictest.values()];
}

/** The gates of an agent's outputs: what it promises itself, and what the agents that need the outputs ask for. */
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
): readonly Broken[] {
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

function promised({ agentId: agent, outputs }: Contract): readonly AgentThreshold[] {
  return [...outputs].flatMap(([output, { qualityThresholds = {} }]) =>
    Object.entries(qualityThresholds).map(([gate, minimum]) => ({ agent, output, gate, minimum })),
  );
}

function needed(contract: Contract): readonly AgentThreshold[] {
  return contract.inputs.flatMap(({ path, rules: { qualityThreshold: minimum } }) => {
    const place = outputAt(path);
    if (minimum === undefined || !place) return [];
    const { agentId: agent, output } = place;
    return [{ agent, output, gate: overallScore, minimum, for: contract.agentId }];
  });
}
