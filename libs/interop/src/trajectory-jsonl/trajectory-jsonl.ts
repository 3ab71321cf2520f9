import { isJsonObject } from '#event-sourcing';
import { DocumentError } from '../documents/document.error.js';
import {
  type DocumentFormat,
  type DocumentPlace,
  type DocumentReading,
  type NamedText,
  type PlannedEvent,
  type ReadingNote,
  type ReadingOptions,
} from '../documents/document-format.js';
import { OriginReader } from '../documents/origin-reader.js';
import { readExactJson } from '../exact-json/exact-json.js';
import { JsonTextError } from '../exact-json/scan-json.js';
import { contextIdOfFile } from '../documents/context-id.js';
import { plannedOutput, plannedTexts } from '../documents/step-output.js';
import { messageFacts } from './message-facts.js';
import {
  type TrajectoryEntry,
  fileEntries,
  headStepId,
  lineEntries,
  refusal,
} from './trajectory-entries.js';
import { TaskReader } from './trajectory-task.js';

/**
 * The messages or events of an agent's run, with messages in the format of OpenAI, Anthropic or LangChain and events in
 * that of SWE-agent or OpenHands: a JSON value on each line, or one document that lists them. Each becomes the output
 * of a step whose id has the number of its line, or of its position in the list, so that portions of a file
 * (`firstLine`) make the same steps as the file. Only the first portion has a title and an input. A file with more than
 * 500,000 messages is refused.
 *
 * The format can only be read. The outputs contain every message unchanged, so no pieces of the text are stored.
 */
export const trajectoryJsonlFormat = {
  name: 'trajectory-jsonl',
  mediaType: 'application/x-ndjson',
  read: readTrajectory,
} as const satisfies DocumentFormat;

/** A context with more outputs is unusable, and their events take gigabytes of memory. */
const maxEntries = 500_000;

function readTrajectory(
  documents: readonly NamedText[],
  { firstLine }: ReadingOptions = {},
): DocumentReading {
  const document = onlyDocument(documents);
  const reader = new TrajectoryReader(document, firstLine ?? 1);
  const entries =
    firstLine === undefined ? fileEntries(document) : lineEntries(document.text, firstLine);
  for (const entry of entries) reader.take(entry);
  const reading = reader.finish();
  if (reading.events.length === 0 && firstLine === undefined)
    throw new DocumentError({ document: document.name, line: 1, pointer: '' }, 'has no message');
  return reading;
}

function onlyDocument(documents: readonly NamedText[]): NamedText {
  const [document, second] = documents;
  if (!document) throw new Error('no document to read');
  if (!second) return document;
  throw new DocumentError(
    { document: second.name, line: 1, pointer: '' },
    'is a second file: a trajectory is one file, so import each file into a separate context',
  );
}

class TrajectoryReader {
  #entries = 0;
  readonly #events: PlannedEvent[] = [];
  readonly #notes: ReadingNote[] = [];
  readonly #origins = new OriginReader();
  readonly #task = new TaskReader();

  constructor(
    private readonly document: NamedText,
    private readonly firstLine: number,
  ) {}

  take(entry: TrajectoryEntry): void {
    const { stepId, text, line, pointer } = entry;
    const place = { document: this.document.name, line, pointer };
    this.#count(place);
    const { value, fault } = this.#read(entry);
    if (fault !== undefined) {
      const { events, note } = plannedTexts({ stepId, place }, text, fault);
      this.#events.push(...events);
      this.#notes.push(note);
      return;
    }
    const isHead = stepId === headStepId;
    const { author, timestamp, isThinking } = messageFacts(value);
    const origin = isHead
      ? undefined
      : this.#origins.originOf({ author: author ?? entry.agent, timestamp, place });
    this.#events.push(plannedOutput({ stepId, output: value, origin, place, isThinking }));
    if (isJsonObject(value) && (isHead || this.#events.length === 1)) this.#task.takeHead(value);
    if (!isHead) this.#task.takeMessage(value);
  }

  finish(): DocumentReading {
    return {
      contextId: contextIdOfFile(this.document.name, 'trajectory'),
      creation: this.firstLine === 1 ? this.#task.creation() : {},
      events: this.#events,
      documents: [],
      notes: [...this.#notes, ...this.#origins.notes],
    };
  }

  #count(place: DocumentPlace): void {
    if (++this.#entries > maxEntries)
      throw new DocumentError(
        place,
        `is message ${this.#entries}, and a file has at most ${maxEntries}: divide the file`,
      );
  }

  /** Reads an entry. Lists were scanned before; a line may not be JSON. */
  #read({ text, line }: TrajectoryEntry): ReturnType<typeof readExactJson> {
    try {
      return readExactJson(text);
    } catch (error) {
      throw error instanceof JsonTextError ? refusal(error, this.document.name, text, line) : error;
    }
  }
}
