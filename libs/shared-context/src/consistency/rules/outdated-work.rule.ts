import { type StaleWork, staleWork, workKinds } from '../../basis/stale-work.js';
import { type StalePath, Staleness, withGap } from '../../basis/staleness.js';
import { type Item } from '../../item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { type Finding, warning } from '../finding.js';
import { isInForce } from '../in-force.js';

/** Reports work and decisions that are based on superseded decisions, and so may have to be redone. */
export const outdatedWork: ConsistencyRule = (record) => {
  const decisions = record.all('decision');
  const staleness = Staleness.of(decisions);
  if (staleness.ended.length === 0) return [];
  const mentionable = new Set(decisions.filter(record.isSubject).map(({ key }) => key));
  const successors = new Map(
    staleness.ended.map(({ decisionId, supersededBy }) => [decisionId, supersededBy]),
  );
  const work = staleWork(workKinds.flatMap((kind) => record.all(kind))).filter(({ item }) =>
    record.isSubject(item),
  );
  const readers = new Set(work.map(({ item }) => item));
  const dependent = record
    .of('decision')
    .filter((item) => isInForce(item) && !readers.has(item))
    .flatMap((item) => {
      const path = staleness.pathOf(item);
      return path ? [{ item, path }] : [];
    });
  return [
    ...work.map((stale) => finding(stale.item, readText(stale, mentionable))),
    ...dependent.map(({ item, path }) => finding(item, pathText(path, successors, mentionable))),
  ];
};

/** Ids of the decisions that findings may mention. */
type MentionableIds = ReadonlySet<string>;

/** The successor of each superseded decision; null if it is unknown. */
type Successors = ReadonlyMap<string, string | null>;

function finding({ kind, key }: Item, detail: string): Finding {
  return warning('work-stale', `${kind}:${key}`, detail);
}

function readText({ decisionId, supersededBy }: StaleWork, named: MentionableIds): string {
  return named.has(decisionId)
    ? `its author had read decision ${decisionId} as in force${bySuccessor(supersededBy)}`
    : 'its author had read a decision as in force that no longer is';
}

function pathText(path: StalePath, successors: Successors, named: MentionableIds): string {
  if (!path.decisionIds.every((decisionId) => named.has(decisionId)))
    return 'it depends on a decision that is no longer in force';
  const successor = successors.get(path.decisionIds.at(-1) ?? '') ?? null;
  const names = path.decisionIds.map((decisionId) => `decision ${decisionId}`);
  const steps = withGap(names, path).join(', which depends on ');
  return `it depends on ${steps}${bySuccessor(successor)}`;
}

function bySuccessor(supersededBy: string | null): string {
  return supersededBy === null ? '' : `, which ${supersededBy} has superseded`;
}
