import { type QualityThreshold } from '../context.command.js';
import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';
import { defined } from '../json.js';

/** The newest check of an agent's inputs. */
export function checkKey(agent: string): ItemKey {
  return { kind: 'input-check', key: agent };
}

/** The newest scores of an output, and the results of their gates. */
export function scoresKey(agent: string, output: string): ItemKey {
  return { kind: 'scores', key: JSON.stringify([agent, output]) };
}

type Check = EventData<'AgentInputsChecked'>;

export type GateResult = Readonly<{
  gate: string;
  for?: string | undefined;
  passed: boolean;
  score: number;
  threshold: number;
}>;

export type Scores = Readonly<{
  agent: string;
  output: string;
  scores: Readonly<Record<string, number>>;
  gates: readonly GateResult[];
}>;

export function checkOf({ body }: Item): Check {
  // Only quality.fold.ts writes the body of these items.
  return body as unknown as Check;
}

export function scoresOf({ body }: Item): Scores {
  // Only quality.fold.ts writes the body of these items.
  return body as unknown as Scores;
}

/** The scores that an output contains, from its item. */
export function scoresWithin({ state }: Item): Omit<Scores, 'gates'> | undefined {
  if (state['scores'] === undefined) return undefined;
  // Only step.fold.ts writes the state of these items.
  const { agentId: agent, name: output, scores } = state as unknown as OutputState;
  return { agent, output, scores };
}

type OutputState = Readonly<{ agentId: string; name: string }> & Pick<Scores, 'scores'>;

/** Whether scores apply to the latest version of an output, rather than to an earlier output of the same name. */
export function areCurrent(scores: Item, output: Item | undefined): boolean {
  return !output || Number(scores.state['version']) >= Number(output.state['version']);
}

/** Compares scores with thresholds. A gate without a score neither passes nor fails. */
export function gatesOf(
  { output, scores }: Pick<Scores, 'output' | 'scores'>,
  thresholds: readonly QualityThreshold[],
): readonly GateResult[] {
  return thresholds.flatMap(({ output: of, gate, for: asker, minimum }) => {
    const score = Object.hasOwn(scores, gate) ? scores[gate] : undefined;
    if (of !== output || score === undefined) return [];
    return [defined({ gate, for: asker, passed: score >= minimum, score, threshold: minimum })];
  });
}
