import { type Item, type ItemKey, type ItemLookup } from '../item.js';

export type DecisionStatus = 'live' | 'pending' | 'rejected' | 'superseded' | 'deprecated';

/** The facts about a decision that rules use. */
export type DecisionFacts = Readonly<{
  status: DecisionStatus;
  topic: string | undefined;
  supersedes: string | undefined;
  supersededBy: string | undefined;
}>;

export const decisionCounterKey: ItemKey = { kind: 'counter', key: 'decision' };

export function topicKey(topic: string): ItemKey {
  return { kind: 'topic', key: topic };
}

export function findDecision(decisionId: string, current: ItemLookup): DecisionFacts | undefined {
  const item = current('decision', decisionId);
  return item && decisionFacts(item);
}

export function decisionFacts({ state }: Item): DecisionFacts {
  return {
    // Only decision.fold.ts writes the state of a decision.
    status: state['status'] as DecisionStatus,
    topic: textOf(state['topic']),
    supersedes: textOf(state['supersedes']),
    supersededBy: textOf(state['supersededBy']),
  };
}

/** The id of the live decision on a topic. */
export function findTopicHolder(topic: string, current: ItemLookup): string | undefined {
  return textOf(current('topic', topic)?.state['decisionId']);
}

/** The highest number that the server assigned or a client used so far. */
export function lastDecisionNumber(current: ItemLookup): number {
  const value = current(decisionCounterKey.kind, decisionCounterKey.key)?.state['value'];
  return typeof value === 'number' ? value : 0;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
