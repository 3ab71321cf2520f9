import { type Contract, outputAt } from './contract.js';
import { type Broken } from './input-rules.js';

/** The measure that thresholds of inputs are held against. */
export const overallScore = 'overall_score';

/** `isCurrent`: it was given to the newest output of its name, not to one before it. */
export type Score = Readonly<{ value: number; isCurrent: boolean }>;

/** A score below `least` fails; `for` is the agent that asks for it, where that is not the output's own. */
export type Threshold = Readonly<{
  output: string;
  gate: string;
  least: number;
  for?: string | undefined;
}>;

/**
 * The gates of an agent's outputs: what it promises itself, and what the agents that need the outputs ask for. Of
 * several inputs of one agent that are parts of the same output, the strictest counts.
 */
export function thresholdsFor(
  agentId: string,
  contracts: readonly Contract[],
): readonly Threshold[] {
  const asked = contracts.flatMap((contract) => [
    ...(contract.agentId === agentId ? promised(contract) : []),
    ...needed(contract, agentId),
  ]);
  const strictest = new Map<string, Threshold>();
  for (const one of asked) {
    const key = JSON.stringify([one.output, one.gate, one.for ?? null]);
    if ((strictest.get(key)?.least ?? -Infinity) < one.least) strictest.set(key, one);
  }
  return [...strictest.values()];
}

export function checkQuality(
  least: number | undefined,
  score: Score | undefined,
): readonly Broken[] {
  if (least === undefined) return [];
  const rule = 'qualityThreshold';
  if (!score) return [{ rule, detail: `has no ${overallScore}, at least ${least} needed` }];
  if (!score.isCurrent)
    return [
      { rule, detail: `has not been scored since it was added again, at least ${least} needed` },
    ];
  if (score.value >= least) return [];
  return [{ rule, detail: `has an ${overallScore} of ${score.value}, at least ${least} needed` }];
}

function promised({ outputs }: Contract): readonly Threshold[] {
  return [...outputs].flatMap(([output, { qualityThresholds = {} }]) =>
    Object.entries(qualityThresholds).map(([gate, least]) => ({ output, gate, least })),
  );
}

function needed(contract: Contract, agentId: string): readonly Threshold[] {
  return contract.inputs.flatMap(({ path, rules: { qualityThreshold } }) => {
    const place = outputAt(path);
    if (qualityThreshold === undefined || place?.agentId !== agentId) return [];
    const { output } = place;
    return [{ output, gate: overallScore, least: qualityThreshold, for: contract.agentId }];
  });
}
