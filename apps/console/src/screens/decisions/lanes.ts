import { type Decision } from './decision.js';

/** The decisions of one topic in the order of their versions. Decisions without a topic share the last lane. */
export type Lane = Readonly<{ topic: string | undefined; decisions: readonly Decision[] }>;

/** An arrow between two decisions of a lane, by their indexes. `proposed`: the newer one is still pending. */
export type Supersession = Readonly<{ from: number; to: number; proposed: boolean }>;

/** One lane per topic, in the order of the first decisions. */
export function lanesOf(decisions: readonly Decision[]): readonly Lane[] {
  const sorted = decisions.toSorted((left, right) => left.version - right.version);
  const byTopic = Map.groupBy(sorted, ({ topic }) => topic);
  const lanes = [...byTopic].map(([topic, members]) => ({ topic, decisions: members }));
  return lanes.toSorted((left, right) => rankOf(left) - rankOf(right));
}

function rankOf({ topic }: Lane): number {
  return topic === undefined ? 1 : 0;
}

/** The supersessions within a lane: from the superseded decision to the newer one. */
export function supersessionsOf(decisions: readonly Decision[]): readonly Supersession[] {
  const indexes = new Map(decisions.map(({ decisionId }, at) => [decisionId, at]));
  return decisions.flatMap(({ decisionId, supersedes, status }, to) => {
    const from = supersedes === undefined ? undefined : indexes.get(supersedes);
    if (from === undefined || status === 'rejected') return [];
    const proposed = decisions[from]?.supersededBy !== decisionId;
    return [{ from, to, proposed }];
  });
}
