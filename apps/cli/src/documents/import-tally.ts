import { nameOf } from './find-files.js';
import { type NamedFile } from './group-files.js';
import { type ImportAnswer, type ImportNote } from './import-answer.js';

/** Maximum number of notes of a context in memory, for files of any size. */
const maxNotes = 1_000;

/**
 * The result of the import, or of the dry run, of the files of one context. `files`: paths relative to the current directory;
 * `notesOmitted`: number of notes that are not in `notes`.
 */
export type ImportResult = Readonly<{
  contextId: string;
  files: readonly string[];
  version: number;
  created: boolean;
  imported: number;
  skipped: number;
  events: Readonly<Record<string, number>>;
  notes: readonly ImportNote[];
  notesOmitted: number;
  registered: readonly string[];
}>;

/** Adds up the answers to the requests of a context. */
export class ImportTally {
  readonly #events = new Map<string, number>();
  readonly #notes: ImportNote[] = [];
  readonly #registered = new Set<string>();
  #notesOmitted = 0;
  #skipped = 0;
  #version = 0;
  #created = false;
  #contextId = '';

  /** Paths relative to the current directory, by the names on the server. */
  readonly #paths: ReadonlyMap<string, string>;

  constructor(files: readonly NamedFile[]) {
    this.#paths = new Map(files.map(({ path, name }) => [name, nameOf(path)]));
  }

  add({ contexts: [context], notes, registered }: ImportAnswer): void {
    const { contextId, version, skipped, created, events } = context;
    for (const [type, count] of Object.entries(events)) {
      // In a dry run, each portion would create the context.
      if (type === 'ContextCreated' && this.#created) continue;
      this.#events.set(type, (this.#events.get(type) ?? 0) + count);
    }
    this.#contextId = contextId;
    this.#created ||= created;
    this.#skipped += skipped;
    this.#version = Math.max(this.#version, version);
    this.#addNotes(notes);
    for (const name of registered) this.#registered.add(name);
  }

  result(): ImportResult {
    return {
      contextId: this.#contextId,
      files: [...this.#paths.values()],
      version: this.#version,
      created: this.#created,
      imported: [...this.#events.values()].reduce((sum, count) => sum + count, 0),
      skipped: this.#skipped,
      events: Object.fromEntries(this.#events),
      notes: this.#notes,
      notesOmitted: this.#notesOmitted,
      registered: [...this.#registered],
    };
  }

  #addNotes(notes: readonly ImportNote[]): void {
    const room = Math.max(0, maxNotes - this.#notes.length);
    for (const note of notes.slice(0, room))
      this.#notes.push({ ...note, document: this.#paths.get(note.document) ?? note.document });
    this.#notesOmitted += Math.max(0, notes.length - room);
  }
}
