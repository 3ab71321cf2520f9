import { type JsonObject } from '#event-sourcing';

import { renderDerived } from '../derived/derived.document.js';
import { renderHandover } from '../handovers/handover.document.js';
import { renderInputRequest } from '../input-requests/input-request.document.js';
import { type Item, type ItemKind } from '../item.js';
import {
  renderBlocker,
  renderDependency,
  renderRequirement,
  renderRisk,
} from '../plan/plan.document.js';
import { renderCheck, renderScores } from '../agents/quality.document.js';
import { renderEntry } from '../listed-entry.js';
import { renderIssue, renderReview } from '../reviews/review.document.js';
import { renderLoop } from '../loops/loop.document.js';
import { renderBaseline } from '../metrics/metrics.document.js';
import { renderPhase } from '../phases/phase.document.js';
import { renderSummary } from '../summaries/summary.document.js';
import { renderTask } from '../tasks/task.document.js';
import { type ChangedItem } from './changed-item.js';
import { type Replaced } from './step.comparison.js';

/** An entry that came, changed or went. `part`: the list of the document it is in; `key`: its id or name there. */
export type ChangedEntry = Replaced & Readonly<{ part: string; key: string }>;

type Part = Readonly<{ part: string; render: (item: Item) => JsonObject }>;

/** The parts of the document whose entries are one item each and say nothing about each other. */
const parts: ReadonlyMap<ItemKind, Part> = new Map<ItemKind, Part>([
  ['task', { part: 'tasks', render: renderTask }],
  ['phase', { part: 'phases', render: renderPhase }],
  ['baseline', { part: 'metrics', render: renderBaseline }],
  ['loop', { part: 'circuitBreakers', render: renderLoop }],
  ['requirement', { part: 'requirements', render: renderRequirement }],
  ['risk', { part: 'risks', render: renderRisk }],
  ['dependency', { part: 'dependencies', render: renderDependency }],
  ['derived', { part: 'derived', render: renderDerived }],
  ['blocker', { part: 'dependencies.blockers', render: renderBlocker }],
  ['review', { part: 'reviewHistory', render: renderReview }],
  ['issue', { part: 'openIssues', render: renderIssue }],
  ['input-check', { part: 'quality.inputs', render: renderCheck }],
  ['scores', { part: 'quality.outputs', render: renderScores }],
  ['record', { part: 'records', render: renderEntry }],
  ['signal', { part: 'signals', render: renderEntry }],
  ['summary', { part: 'summaries', render: renderSummary }],
  ['handover', { part: 'handoverNotes', render: renderHandover }],
  ['input-request', { part: 'inputRequests', render: renderInputRequest }],
]);

export const entryKinds: readonly ItemKind[] = [...parts.keys()];

export function compareEntries(changed: readonly ChangedItem[]): ChangedEntry[] {
  return changed.flatMap(({ kind, key, before, after }) => {
    const shown = parts.get(kind);
    if (!shown) return [];
    const { part, render } = shown;
    return [
      { part, key, before: before ? render(before) : null, after: after ? render(after) : null },
    ];
  });
}
