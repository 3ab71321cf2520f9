import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite } from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { JsonPatch } from '../json/json-patch.js';
import { type PatchedSource } from '../json/patched-sources.js';
import { patchObject } from '../json/patch-object.js';
import { currentState, othersIn } from './print-sdd-context.js';
import { figuresOf, iterationsBefore } from './sdd-figures.js';
import { type SddEntry, listsOf } from './sdd-lists.js';

/** The source with the changes since its import; all other text is unchanged. */
export function patchSddContext(
  { document, baseline }: ContextToWrite,
  source: PatchedSource,
): string {
  const { before } = source.written;
  const patch = new JsonPatch(source.json);
  const iterations = iterationsBefore(baseline);
  const entriesBefore = new Map(
    listsOf(before, iterations).flatMap(({ entries }) =>
      entries.map(({ ref, value }) => [ref, value]),
    ),
  );
  for (const { path, entries } of listsOf(document, iterations))
    for (const entry of entries) patchEntry(patch, { path, entry, source }, entriesBefore);
  removeCleared(patch, document, source);
  const [then, now] = [figuresOf(before, baseline), figuresOf(document, baseline)];
  patchObject(patch, ['current_state'], [currentState(before), currentState(document)]);
  patchObject(patch, ['iteration_counts'], [then.iterationCounts, now.iterationCounts]);
  patchObject(patch, ['circuit_breaker_status'], [then.breakers, now.breakers]);
  patchObject(patch, ['metrics'], [then.metrics, now.metrics]);
  patchObject(patch, [], [othersIn(before.globalContext), othersIn(document.globalContext)]);
  if (!patch.isEmpty) patch.set(['updated_at'], document._lastModifiedAt);
  return patch.print();
}

type LocatedEntry = Readonly<{ path: readonly string[]; entry: SddEntry; source: PatchedSource }>;

function patchEntry(
  patch: JsonPatch,
  { path, entry: { ref, value }, source }: LocatedEntry,
  before: ReadonlyMap<string, JsonValue>,
): void {
  const place = source.places.pathIn(path, ref);
  if (!place) {
    // A phase that was active is not an entry of this list yet, although the source has it.
    if (source.isNew(ref) || (source.isFirst && !before.has(ref))) patch.append(path, value);
    return;
  }
  const then = before.get(ref);
  if (isJsonObject(value)) patchObject(patch, place, [isJsonObject(then) ? then : {}, value]);
  else if (then !== value) patch.set(place, value);
}

/** The format lists only open blockers. */
function removeCleared(patch: JsonPatch, document: ContextDocument, source: PatchedSource): void {
  const list = ['dependencies', 'blockers'];
  const open = new Set(
    source.written.before.dependencies.blockers
      .filter(({ status }) => status !== 'cleared')
      .map(({ blockerId }) => blockerId),
  );
  for (const { blockerId, status } of document.dependencies.blockers) {
    const isOver = status === 'cleared' && open.has(blockerId);
    const place = isOver && source.places.pathIn(list, itemRef('blocker', blockerId));
    if (place) patch.remove(place);
  }
}
