import { Reading, rollupOf } from '../digests/index.js';
import { type Entry, type EntryForm, wholeText } from '../entries/entry.js';
import { type DigestRoom, entryText } from '../entries/entry-text.js';
import { rollupRef } from '../entries/item-ref.js';
import { quoted } from '../entries/quoted-text.js';
import { beginningOf } from '../entries/value-beginning.js';
import { type GroupTally } from '../segments/group-tally.js';
import { type Segment, type ViewForm, factsOfText } from '../segments/segment.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { type VersionGroup } from './version-groups.js';

/**
 * Makes the segments of views. Segments of entries and tallies are cached on these, so that each is made and counted
 * once.
 */
export class SegmentFactory {
  constructor(readonly tokenizer: Tokenizer) {}

  entry(entry: Entry, form: EntryForm, room: DigestRoom): Segment {
    const name =
      form === 'digest' ? room.name : `${form} ${form === 'line' ? (room.reads ?? '') : ''}`;
    return entry.texts.segment(this.tokenizer, name, () => this.#make(entry, form, room));
  }

  /** A group of versions as a roll-up: a heading, and at most `room` characters. */
  rollup({ from, to }: VersionGroup, group: GroupTally, room: number): Segment {
    return group.segments.find(`${this.tokenizer.name} ${from} ${to} ${room}`, () => {
      const ref = rollupRef(from, to);
      const text = `## v${from} to v${to} ${ref}, rolled up\n${quoted(rollupOf(group.tally, room))}`;
      return { ...this.segment(text, ref), form: 'rollup', covers: group.covers };
    });
  }

  segment(text: string, ref: string | null): Segment {
    return { text, units: this.units(text), ref, form: 'whole', facts: factsOfText(text) };
  }

  units(text: string): number {
    return this.tokenizer.unitsOf(text);
  }

  #make(entry: Entry, form: EntryForm, room: DigestRoom): Segment {
    const reading = () => readingFor(entry, room);
    const made = form === 'whole' ? undefined : entryText(entry, form, { room, reading });
    if (!made || made.form === 'whole') return this.#whole(entry);
    const { text } = made;
    return {
      text,
      units: this.#unitsOf(entry, form, text),
      ref: entry.ref,
      form: viewForm(form),
      facts: factsOfText(text),
      original: entry,
    };
  }

  #whole(entry: Entry): Segment {
    const text = wholeText(entry);
    const units = this.#unitsOf(entry, 'whole', text);
    return { text, units, ref: entry.ref, form: 'whole', facts: factsOfText(text) };
  }

  /** Counts of forms that depend on no budget are cached, even if their segments are not. */
  #unitsOf({ texts }: Entry, form: EntryForm, text: string): number {
    if (form === 'digest' || form === 'line') return this.units(text);
    return texts.units(this.tokenizer, form, () => text);
  }
}

function readingFor(entry: Entry, { reads }: DigestRoom): Reading {
  return reads === undefined ? entry.reading : Reading.of(beginningOf(entry.value, reads));
}

/** A decision without its rationale is shortened: readers get it as a digest. */
function viewForm(form: EntryForm): ViewForm {
  return form === 'brief' || form === 'bare' ? 'digest' : form;
}
