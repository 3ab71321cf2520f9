import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import {
  type DocumentPlace,
  type PlannedEvent,
  type ReadingNote,
} from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { OriginReader } from '../documents/origin-reader.js';
import { jsonBytes, longestOutput, readExactJson, tooLong } from '../exact-json/exact-json.js';
import { shortText } from '../text/short-text.js';
import { type PlannedOutput, plannedOutput, plannedTexts } from '../documents/step-output.js';
import { type TrajectoryEntry } from '../trajectory-jsonl/trajectory-entries.js';
import { SnapshotNames, nodesBefore } from './snapshot-names.js';
import { changeBetween } from './state-change.js';
import { type PlacedSnapshot, type StateSnapshot, listIn, textIn } from './state-snapshot.js';

/** Converts the snapshots of a thread, oldest first, to outputs of steps and records of its interrupts. */
export class ThreadReader {
  readonly events: PlannedEvent[] = [];
  readonly #notes: ReadingNote[] = [];
  readonly #origins = new OriginReader();
  readonly #names = new SnapshotNames();
  /** Snapshots by the ids of their checkpoints. */
  readonly #snapshots = new Map<string, PlacedSnapshot>();
  #last: string | undefined;

  get notes(): ReadingNote[] {
    return [...this.#notes, ...this.#origins.notes];
  }

  /** Takes the members of the file other than its list of snapshots. */
  takeHead({ stepId, text }: TrajectoryEntry, place: DocumentPlace): void {
    const { value, fault } = readExactJson(text);
    if (fault === undefined) this.events.push(plannedOutput({ stepId, output: value, place }));
    else this.#addTexts({ stepId, place }, text, fault);
  }

  take(placed: PlacedSnapshot): void {
    const { snapshot, place, text, fault } = placed;
    const parent = this.#parentOf(placed);
    const nodes = nodesBefore(snapshot, parent?.snapshot);
    const stepId = this.#names.nameOf(snapshot, nodes);
    const output = fault === undefined ? outputOf(placed, parent) : undefined;
    const author = nodes.length === 1 ? nodes[0] : undefined;
    const origin = this.#origins.originOf({ author, timestamp: snapshot.createdAt, place });
    if (output === undefined) this.#addTexts({ stepId, origin, place }, text, fault ?? tooLong);
    else {
      this.events.push(plannedOutput({ stepId, output, origin, place }));
      this.#addInterrupts(placed, stepId);
    }
    this.#noteBranch(placed);
    this.#last = snapshot.checkpointId;
    if (this.#last !== undefined && !this.#snapshots.has(this.#last))
      this.#snapshots.set(this.#last, placed);
  }

  /** The snapshot that this one continues, if it was taken before. */
  #parentOf({ snapshot: { parentId } }: PlacedSnapshot): PlacedSnapshot | undefined {
    return parentId === undefined ? undefined : this.#snapshots.get(parentId);
  }

  #addTexts(step: Omit<PlannedOutput, 'output'>, text: string, why: string): void {
    const { events, note } = plannedTexts(step, text, why);
    this.events.push(...events);
    this.#notes.push(note);
  }

  #addInterrupts({ snapshot: { tasks }, place }: PlacedSnapshot, stepId: string): void {
    for (const [at, task] of tasks.entries()) {
      const interrupts = listIn(task, 'interrupts');
      if (interrupts.length === 0) continue;
      const recordId = `interrupt:${stepId}:${at + 1}`;
      const node = shortText(textIn(task, 'name') ?? '', 200);
      const title = node === undefined ? 'Interrupted' : `Interrupted in ${node}`;
      const data = { recordId, kind: 'custom' as const, title, fields: { interrupts }, stepId };
      const event = { type: 'RecordAppended' as const, data };
      this.events.push({ item: itemRef('record', recordId), event, place });
    }
  }

  #noteBranch({ snapshot: { parentId }, place }: PlacedSnapshot): void {
    if (parentId === undefined || this.#last === undefined || parentId === this.#last) return;
    const detail = this.#snapshots.has(parentId)
      ? 'begins a branch: it continues an earlier snapshot, not the previous one'
      : 'continues a snapshot that does not come before it: its state is stored as a whole';
    this.#notes.push({ ...place, kind: 'changed', detail });
  }
}

/** The snapshot, or its changes; undefined if they do not fit into one event. */
function outputOf(
  placed: PlacedSnapshot,
  parent: PlacedSnapshot | undefined,
): JsonValue | undefined {
  const { whole } = placed.snapshot;
  const { values: now, ...rest } = whole;
  const { checkpointId: since, whole: earlier = {} } = exact(parent) ?? {};
  const before = earlier['values'];
  const canChange = since !== undefined && isJsonObject(before) && isJsonObject(now);
  const output: JsonObject = canChange
    ? { since, ...changeBetween(before, now), snapshot: rest }
    : whole;
  return jsonBytes(output) <= longestOutput ? output : undefined;
}

/** The facts of a snapshot whose state is exact. */
function exact(placed: PlacedSnapshot | undefined): Partial<StateSnapshot> | undefined {
  return placed?.fault === undefined ? placed?.snapshot : undefined;
}
