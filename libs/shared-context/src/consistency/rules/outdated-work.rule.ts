import { type StaleWork, staleWork, workKinds } from '../../basis/stale-work.js';
import { type StalePath, Staleness, withGap } from '../../basis/staleness.js';
import { type Item } from '../../item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';
import { isInForce } from '../in-force.js';

/** By what decisions were superseded. */
type Successors = ReadonlyMap<string, string | null>;

/** Work made from what does not hold any more, and decisions that rest on it, may have to be made again. */
export const outdatedWork: ConsistencyRule = (record) => {
  const work = staleWork(workKinds.flatMap((kind) => record.of(kind)));
  const decisions = record.of('decision');
  const staleness = Staleness.of(decisions);
  const told = new Set(work.map(({ item }) => item));
  const successors = new Map(
    staleness.ended.map(({ decisionId, supersededBy }) => [decisionId, supersededBy]),
  );
  return [
    ...work.map(ofReader),
    ...decisions
      .filter((item) => isInForce(item) && !told.has(item))
      .flatMap((item) => ofPath(item, staleness.pathOf(item), successors)),
  ];
};

function ofReader({ item: { kind, key }, decisionId, supersededBy }: StaleWork) {
  const detail = `its author had read decision ${decisionId} as in force${bySuccessor(supersededBy)}`;
  return warning('work-stale', `${kind}:${key}`, detail);
}

function ofPath({ kind, key }: Item, path: StalePath | undefined, successors: Successors) {
  if (!path) return [];
  const successor = successors.get(path.decisionIds.at(-1) ?? '') ?? null;
  const names = path.decisionIds.map((decisionId) => `decision ${decisionId}`);
  const steps = withGap(names, path).join(', which rests on ');
  const detail = `it rests on ${steps}${bySuccessor(successor)}`;
  return [warning('work-stale', `${kind}:${key}`, detail)];
}

function bySuccessor(supersededBy: string | null): string {
  return supersededBy === null ? '' : `, which ${supersededBy} has superseded`;
}
