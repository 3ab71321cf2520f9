import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

/** The newest check of an agent's inputs. */
export function checkKey(agent: string): ItemKey {
  return { kind: 'input-check', key: agent };
}

/** The newest scores of an output, and the gates they were held against. */
export function scoresKey(agent: string, output: string): ItemKey {
  return { kind: 'scores', key: JSON.stringify([agent, output]) };
}

export type Check = EventData<'AgentInputsChecked'>;

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
  // Only the fold beside this file writes the body of these items.
  return body as unknown as Check;
}

export function scoresOf({ body }: Item): Scores {
  // Only the fold beside this file writes the body of these items.
  return body as unknown as Scores;
}

/** Whether scores were given to the output as it is now, not to one of its name before it. */
export function areCurrent(scores: Item, output: Item | undefined): boolean {
  return !output || Number(scores.state['version']) > Number(output.state['version']);
}
