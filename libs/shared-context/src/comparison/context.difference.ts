import { type JsonObject, type JsonValue } from '#event-sourcing';

import { renderArtifact } from '../artifacts/artifact.document.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { renderLife } from '../life/life.document.js';
import { type Activity } from '../outcome/activity.js';
import { activityOf } from '../steps/step.activity.js';
import { renderCheckpoints } from '../lineage/checkpoint.document.js';
import { type ChangedItem, changedItems } from './changed-item.js';
import { type ChangedEntry, compareEntries, entryKinds } from './entry.comparison.js';
import { type DecisionDifference, compareDecisions } from './decision.comparison.js';
import { type LostBasis, compareStaleWork } from './stale.comparison.js';
import {
  type Replacement,
  type StepDifference,
  compareCurrentState,
  compareSteps,
} from './step.comparison.js';

/** A member of the preferences or the global context; `before` or `after` is absent if the member did not exist. */
type ValueChange = Readonly<{ key: string; before?: JsonValue; after?: JsonValue }>;

/**
 * The changes of a context between two versions, in terms of the domain. Every list is present, and empty if there was
 * no such change. A change that was undone within the range is not a difference.
 */
export type ContextDifference = DecisionDifference &
  StepDifference &
  Readonly<{
    /** The facts of its creation, if it did not exist before; else null. */
    created: JsonObject | null;
    /** The context was closed or reopened: `{ status, since, by }`. */
    life: Replacement | null;
    currentState: Replacement | null;
    artifactsAdded: readonly JsonObject[];
    artifactsRevised: readonly (Replacement & Readonly<{ artifactId: string }>)[];
    artifactsWithdrawn: readonly JsonObject[];
    preferencesChanged: readonly ValueChange[];
    globalContextChanged: readonly ValueChange[];
    checkpointsCreated: readonly JsonObject[];
    /** Work based on a decision that has since been superseded. */
    workStale: readonly LostBasis[];
    /** Changes in lists of the document that have no separate member here. */
    entriesChanged: readonly ChangedEntry[];
  }>;

type ComparisonOptions = Readonly<{
  /** The activity before and after; by default it is computed from the items. */
  activities?: readonly [before: Activity, after: Activity] | undefined;
  /**
   * Selects the items to compare; the others only serve to compute the status of these. By default all are compared.
   */
  isSubject?: ((item: ItemKey) => boolean) | undefined;
}>;

/** The kinds of items that are compared. A failure is reported with its step. */
export const comparedKinds: ReadonlySet<ItemKind> = new Set<ItemKind>([
  ...(['creation', 'life', 'decision', 'step', 'step-output', 'output'] as const),
  ...(['artifact', 'preference', 'global', 'checkpoint'] as const),
  ...entryKinds,
]);

/**
 * Both sides contain the same part of a context: all of it, or at least the changed items, with the decisions that they
 * depend on and the work that depends on them.
 */
export function compareContexts(
  before: Iterable<Item>,
  after: Iterable<Item>,
  { activities, isSubject = () => true }: ComparisonOptions = {},
): ContextDifference {
  const [was, is] = [sideOf(before), sideOf(after)];
  const changed = changedItems(was.items.filter(isSubject), is.items.filter(isSubject));
  const [earlier, later] = activities ?? [activityOf(was.items), activityOf(is.items)];
  const decisions = { before: was, after: is, isSubject };
  return {
    ...compareLife(changed, is.lookup),
    currentState: compareCurrentState(earlier, later),
    ...compareDecisions(changed, decisions),
    ...compareSteps(changed),
    ...compareArtifacts(changed),
    preferencesChanged: compareValues('preference', changed),
    globalContextChanged: compareValues('global', changed),
    checkpointsCreated: renderCheckpoints(changed.flatMap((change) => change.after ?? [])),
    workStale: compareStaleWork(was.items, is.items).filter(isSubject),
    entriesChanged: compareEntries(changed),
  };
}

/** Whether a difference contains no change. */
export function isUnchanged(difference: ContextDifference): boolean {
  return Object.values(difference).every((part) => part === null || Object.keys(part).length === 0);
}

function sideOf(source: Iterable<Item>) {
  const items = [...source];
  const byKey = new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
  const lookup: ItemLookup = (kind, key) => byKey.get(`${kind} ${key}`);
  return { items, lookup };
}

function compareLife(changed: readonly ChangedItem[], after: ItemLookup) {
  const creation = changed.find(({ kind }) => kind === 'creation');
  const life = changed.find(({ kind }) => kind === 'life');
  return {
    created: creation?.after && !creation.before ? renderLife(after) : null,
    life: life?.before ? { before: life.before.state, after: life.after?.state ?? null } : null,
  };
}

function compareArtifacts(changed: readonly ChangedItem[]) {
  const artifacts = changed.filter(({ kind }) => kind === 'artifact');
  return {
    artifactsAdded: artifacts.flatMap(({ before, after }) =>
      after && !before ? [renderArtifact(after)] : [],
    ),
    artifactsRevised: artifacts.flatMap(({ key, before, after }) =>
      before && after
        ? [{ artifactId: key, before: renderArtifact(before), after: renderArtifact(after) }]
        : [],
    ),
    artifactsWithdrawn: artifacts.flatMap(({ before, after }) =>
      before && !after ? [renderArtifact(before)] : [],
    ),
  };
}

function compareValues(valueKind: ItemKind, changed: readonly ChangedItem[]): ValueChange[] {
  return changed
    .filter(({ kind }) => kind === valueKind)
    .map(({ key, before, after }) => ({
      key,
      ...(before && { before: before.body ?? null }),
      ...(after && { after: after.body ?? null }),
    }));
}
