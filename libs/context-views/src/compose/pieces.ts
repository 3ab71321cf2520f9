import { Reading, type Tally } from '../digests/index.js';
import { type Entry, type EntryForm, wholeText } from '../entries/entry.js';
import { type DigestRoom, entryText } from '../entries/entry-text.js';
import { beginningOf } from '../entries/value-beginning.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { readingOf } from './entry-readings.js';
import { Lately } from './lately.js';
import { type Segment, viewForm } from './segment.js';

/** What is the same for the same text, kept between views: counts, and forms that take time to make. */
export type Memo = Readonly<{
  units(tokenizer: Tokenizer, text: string): number;
  /** The same of an entry whole. */
  whole(tokenizer: Tokenizer, text: string): number;
  shortened<Made>(whole: string, form: string, make: () => Made): Made;
}>;

/** Keeps nothing. */
export const noMemo: Memo = {
  units: (tokenizer, text) => tokenizer.unitsOf(text),
  whole: (tokenizer, text) => tokenizer.unitsOf(text),
  shortened: (_whole, _form, make) => make(),
};

/** As long as somebody has the entry or the tally, the pieces made of it: they never change. */
const rollups = new WeakMap<Tally, Lately<string>>();
const segmentsBy = new WeakMap<Tokenizer, WeakMap<Entry, Lately<Segment>>>();

/** Of an entry or a tally, as many forms: each budget has some of its own. */
const mostForms = 16;

/** The texts of views, each made and counted once. */
export class Pieces {
  readonly #segments: WeakMap<Entry, Lately<Segment>>;

  constructor(
    readonly tokenizer: Tokenizer,
    private readonly memo: Memo,
  ) {
    this.#segments = segmentsBy.get(tokenizer) ?? new WeakMap<Entry, Lately<Segment>>();
    segmentsBy.set(tokenizer, this.#segments);
  }

  entry(entry: Entry, form: EntryForm, room: DigestRoom): Segment {
    const known = this.#segments.get(entry) ?? new Lately<Segment>(mostForms);
    this.#segments.set(entry, known);
    return known.find(form === 'digest' ? room.name : form, () => this.#make(entry, form, room));
  }

  rollup(tally: Tally, room: number, make: () => string): string {
    const known = rollups.get(tally) ?? new Lately<string>(mostForms);
    rollups.set(tally, known);
    return known.find(String(room), make);
  }

  segment(text: string, ref: string | null): Segment {
    return { text, units: this.units(text), ref, form: 'whole' };
  }

  units(text: string): number {
    return this.memo.units(this.tokenizer, text);
  }

  #readingFor(entry: Entry, { reads }: DigestRoom): Reading {
    return reads === undefined ? readingOf(entry) : Reading.of(beginningOf(entry.value, reads));
  }

  #whole(text: string, ref: string): Segment {
    return { text, units: this.memo.whole(this.tokenizer, text), ref, form: 'whole' };
  }

  #make(entry: Entry, form: EntryForm, room: DigestRoom): Segment {
    const whole = wholeText(entry);
    if (form === 'whole') return this.#whole(whole, entry.ref);
    const shorter = this.memo.shortened(whole, form === 'digest' ? room.name : form, () =>
      entryText(entry, form, { room, reading: () => this.#readingFor(entry, room) }),
    );
    if (shorter.form === 'whole') return this.#whole(whole, entry.ref);
    return {
      ...this.segment(shorter.text, entry.ref),
      form: viewForm(shorter.form),
      whole: () => wholeText(entry),
    };
  }
}
