import { parseJson } from '#event-sourcing';

import { DocumentError } from '../documents/document.error.js';
import {
  type DocumentFormat,
  type DocumentReading,
  type NamedText,
  type ReadingOptions,
} from '../documents/document-format.js';
import { readUnboundedJson } from '../exact-json/exact-json.js';
import { JsonTextError } from '../exact-json/scan-json.js';
import { contextIdOfFile } from '../documents/context-id.js';
import {
  type TrajectoryEntry,
  fileEntries,
  headStepId,
  refusal,
} from '../trajectory-jsonl/trajectory-entries.js';
import { oldestFirst } from './snapshot-order.js';
import { type PlacedSnapshot, readSnapshot } from './state-snapshot.js';
import { threadCreation } from './thread-task.js';
import { ThreadReader } from './thread-reader.js';

/**
 * The history of a LangGraph thread: snapshots of `getStateHistory` as a JSON array, or one per line, in any order.
 * Each becomes the output of a step, oldest first.
 *
 * An output that has `values` is the unchanged snapshot. Any other is `{ since, changed, appended, removed, snapshot
 * }`: its state is that of the checkpoint `since`, with the lists of `appended` at the end of the lists of the same
 * name, with the members of `changed`, and without the members named in `removed`; `snapshot` has the members of the
 * snapshot other than `values`. So no part of a state is stored twice, and each state can be reconstructed from the
 * outputs.
 *
 *
 * The format can only be read. The outputs contain everything, so no pieces of the text are stored.
 */
export const langgraphHistoryFormat = {
  name: 'langgraph-history',
  mediaType: 'application/json',
  read: readHistory,
} as const satisfies DocumentFormat;

function readHistory(
  documents: readonly NamedText[],
  { firstLine = 1 }: ReadingOptions = {},
): DocumentReading {
  const document = onlyDocument(documents, firstLine);
  const read = [...fileEntries(document)];
  const snapshots = oldestFirst(
    read.filter(({ stepId }) => stepId !== headStepId).map((entry) => placed(document, entry)),
  );
  const place = { document: document.name, line: 1, pointer: '' };
  if (snapshots.length === 0) throw new DocumentError(place, 'has no snapshot of a state');
  const threadId = onlyThread(snapshots);
  const thread = new ThreadReader();
  for (const head of read.filter(({ stepId }) => stepId === headStepId))
    thread.takeHead(head, place);
  for (const snapshot of snapshots) thread.take(snapshot);
  return {
    contextId: contextIdOfFile(threadId ?? document.name, 'langgraph-thread'),
    creation: threadCreation(
      snapshots.filter(({ fault }) => fault === undefined).map(({ snapshot }) => snapshot),
      threadId,
    ),
    events: thread.events,
    documents: [],
    notes: thread.notes,
  };
}

function onlyDocument(documents: readonly NamedText[], firstLine: number): NamedText {
  const [document, second] = documents;
  if (!document) throw new Error('no document to read');
  const place = { document: (second ?? document).name, line: firstLine, pointer: '' };
  if (second)
    throw new DocumentError(place, 'is a second file: import each file into a separate context');
  if (firstLine !== 1)
    throw new DocumentError(
      place,
      'a history cannot be read in portions: its newest state comes first',
    );
  return document;
}

function onlyThread(snapshots: readonly PlacedSnapshot[]): string | undefined {
  const [first, ...rest] = snapshots;
  const threadId = first?.snapshot.threadId;
  const other = rest.find(({ snapshot }) => snapshot.threadId !== threadId);
  if (!other) return threadId;
  const threads = [threadId, other.snapshot.threadId].map((id) => JSON.stringify(id ?? null));
  throw new DocumentError(
    other.place,
    `has snapshots of the threads ${threads.join(' and ')}: write each thread to a separate file`,
  );
}

function placed(document: NamedText, { text, line, pointer }: TrajectoryEntry): PlacedSnapshot {
  const place = { document: document.name, line, pointer };
  const fault = faultOf(document, text, line);
  const snapshot = readSnapshot(parseJson(text));
  if (snapshot) return { snapshot, text, place, fault };
  throw new DocumentError(
    place,
    'is not a snapshot of a state: it needs values, next and config, as getStateHistory returns them',
  );
}

function faultOf({ name }: NamedText, text: string, line: number): string | undefined {
  try {
    return readUnboundedJson(text).fault;
  } catch (error) {
    throw error instanceof JsonTextError ? refusal(error, name, text, line) : error;
  }
}
