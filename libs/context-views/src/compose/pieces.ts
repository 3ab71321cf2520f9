import { type Tally, tallyOf } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { type Entry, type EntryForm, wholeText } from '../entries/entry.js';
import { type DigestRoom, entryText } from '../entries/entry-text.js';
import { type Segment, viewForm } from './segment.js';

/** What is the same for the same text, kept between views: counts, and forms that take time to make. */
export type Memo = Readonly<{
  units(tokenizer: Tokenizer, text: string): number;
  shortened<Made>(whole: string, form: string, make: () => Made): Made;
}>;

/** Keeps nothing. */
export const noMemo: Memo = {
  units: (tokenizer, text) => tokenizer.unitsOf(text),
  shortened: (_whole, _form, make) => make(),
};

/** The texts of one view, each made and counted once. */
export class Pieces {
  readonly #whole = new Map<Entry, string>();
  readonly #tallies = new Map<string, Tally>();

  constructor(
    readonly tokenizer: Tokenizer,
    private readonly memo: Memo,
  ) {}

  /** Estimated: a quarter of its characters. */
  sizeOf(entry: Entry): number {
    return Math.ceil(this.wholeOf(entry).length / 4);
  }

  wholeOf(entry: Entry): string {
    const known = this.#whole.get(entry);
    if (known !== undefined) return known;
    const made = wholeText(entry);
    this.#whole.set(entry, made);
    return made;
  }

  entry(entry: Entry, form: EntryForm, room: DigestRoom): Segment {
    const whole = this.wholeOf(entry);
    if (form === 'whole') return this.segment(whole, entry.ref);
    const name = `${form} ${room.share} ${room.least} ${room.most}`;
    const made = this.memo.shortened(whole, name, () => entryText(entry, form, room));
    if (made.form === 'whole') return this.segment(whole, entry.ref);
    return { ...this.segment(made.text, entry.ref), form: viewForm(made.form), whole };
  }

  /** What entries tell together: those of a group of versions are mostly the same under every pressure. */
  tally(entries: readonly Entry[]): Tally {
    const [first, last] = [entries[0]?.ref, entries.at(-1)?.ref];
    const name = `${entries.length} ${first} ${last}`;
    const known = this.#tallies.get(name);
    if (known) return known;
    const made = tallyOf(
      entries.map(({ kind, key, version, author, value }) => ({
        ...{ kind, key, version, value, author: author ?? '', phase: null },
      })),
    );
    this.#tallies.set(name, made);
    return made;
  }

  segment(text: string, ref: string | null): Segment {
    return { text, units: this.units(text), ref, form: 'whole' };
  }

  units(text: string): number {
    return this.memo.units(this.tokenizer, text);
  }
}
