import { type ImportAnswer, type ImportNote } from './import-answer.js';

/** Notes of a context that are kept, so that a file of any size takes the same memory. */
const mostNotes = 1_000;

/** What became, or would become, of the files of a context. `notesOmitted`: how many notes there were beside those. */
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

  constructor(private readonly files: readonly string[]) {}

  get contextId(): string {
    return this.#contextId;
  }

  add({ contexts: [context], notes, registered }: ImportAnswer): void {
    const { contextId, version, skipped, created, events } = context;
    for (const [type, count] of Object.entries(events)) {
      // In a dry run no portion finds the context that an earlier one would create.
      if (type === 'ContextCreated' && this.#created) continue;
      this.#events.set(type, (this.#events.get(type) ?? 0) + count);
    }
    this.#contextId = contextId;
    this.#created ||= created;
    this.#skipped += skipped;
    this.#version = Math.max(this.#version, version);
    const room = Math.max(0, mostNotes - this.#notes.length);
    this.#notes.push(...notes.slice(0, room));
    this.#notesOmitted += Math.max(0, notes.length - room);
    for (const name of registered) this.#registered.add(name);
  }

  result(): ImportResult {
    return {
      ...{ contextId: this.#contextId, files: this.files },
      ...{ version: this.#version, created: this.#created },
      imported: [...this.#events.values()].reduce((sum, count) => sum + count, 0),
      skipped: this.#skipped,
      events: Object.fromEntries(this.#events),
      ...{ notes: this.#notes, notesOmitted: this.#notesOmitted },
      registered: [...this.#registered],
    };
  }
}
