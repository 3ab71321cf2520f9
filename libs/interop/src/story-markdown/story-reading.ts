import { inWords, inputRuleFaults } from '#event-sourcing';
import { type SourcePiece, clientEvent } from '#shared-context';

import {
  type ClaimedOrigin,
  type PlannedEvent,
  type ReadingNote,
} from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { type ItemNames } from './item-names.js';
import { type StoryFacts, noFacts } from './story-facts.js';

/** A context with more events than this is unusable; later items stay text. */
const maxEvents = 50_000;
const maxNotes = 10_000;

/** An event to plan, and the line that states it. */
export type Statement = Readonly<{
  type: string;
  data: Readonly<Record<string, unknown>>;
  line: number;
  origin?: ClaimedOrigin | undefined;
  pointer?: string | undefined;
}>;

/** The item of the value `story` of the global context. */
export const storyItem = itemRef('global', 'story');

/** The result of reading one document: the reader of each section adds pieces, in the order of the text, and events. */
export class StoryReading {
  readonly events: PlannedEvent[] = [];
  readonly pieces: SourcePiece[] = [];
  readonly notes: ReadingNote[] = [];
  readonly facts: StoryFacts = { ...noFacts };
  /** The author in the record of the work. */
  worker: ClaimedOrigin | undefined;

  constructor(
    readonly document: string,
    readonly names: ItemNames,
  ) {}

  /**
   * Plans the event if the context would accept it; otherwise notes why the text stays text. Returns whether it was
   * planned.
   */
  state(item: string, { line, origin, pointer = '', ...said }: Statement): boolean {
    const place = { document: this.document, line, pointer };
    if (this.events.length >= maxEvents)
      return this.#refuse(line, `is after the first ${maxEvents} items: only these become events`);
    const parsed = clientEvent.safeParse({ ...said, data: defined(said.data) }, inWords);
    if (!parsed.success) return this.#refuse(line, faultIn(parsed.error.issues));
    const [fault] = inputRuleFaults(clientEvent, parsed.data).faults;
    if (fault) return this.#refuse(line, faultIn([{ path: fault.path, message: fault.detail }]));
    this.events.push({ item, event: parsed.data, place, ...(origin ? { origin } : {}) });
    return true;
  }

  /** Adds text that became these items. Blank text is added to the previous piece. */
  add(text: string, items: readonly string[]): void {
    if (text === '') return;
    const last = this.pieces.at(-1);
    if (last && text.trim() === '')
      this.pieces.splice(-1, 1, { items: last.items, text: last.text + text });
    else this.pieces.push({ text, items: text.trim() === '' ? [] : items });
  }

  note(kind: ReadingNote['kind'], line: number, detail: string): void {
    if (this.notes.length >= maxNotes) return;
    this.notes.push({ document: this.document, line, pointer: '', kind, detail });
  }

  #refuse(line: number, detail: string): false {
    this.note('text', line, detail);
    return false;
  }
}

function faultIn(
  issues: readonly Readonly<{ path: readonly PropertyKey[]; message: string }>[],
): string {
  const [issue] = issues;
  return issue ? `${issue.path.map(String).join('/')} ${issue.message}` : 'no event accepts it';
}
