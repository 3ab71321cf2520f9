import { type JsonValue } from '#event-sourcing';

import { finish } from '#shared-context';

import { factsShownIn } from './fact-lists.js';
import { type FoundFacts, addFactsInSteps, noFacts } from './found-facts.js';
import { LineRanks } from './line-ranks.js';
import { clip, clipStart } from './clipped-text.js';
import { wordKinds } from './word-kinds.js';
import { valueLines } from './value-lines.js';

/** A value after it was read. Any number of shorter forms can be made from it. */
export class Reading {
  static of(value: JsonValue): Reading {
    return finish(Reading.inSteps(value));
  }

  /** As {@link of}, in steps. */
  static *inSteps(value: JsonValue): Generator<void, Reading> {
    const found = noFacts();
    const ranks = new LineRanks();
    const lines: string[] = [];
    const wrappers: string[] = [];
    for (const line of valueLines(value)) {
      const { rank, text } = ranks.add(line);
      if (rank === 'wrapper') wrappers.push(text);
      else {
        lines.push(text);
        for (const cell of line.cells ?? [line]) yield* addFactsInSteps(cell, found);
      }
      yield;
    }
    // Wrappers are shown only if the value has nothing else.
    return new Reading(found, ranks, lines.length > 0 ? lines : wrappers);
  }

  readonly #length: number;

  private constructor(
    readonly found: FoundFacts,
    readonly ranks: LineRanks,
    private readonly lines: readonly string[],
  ) {
    this.#length = lines.reduce((sum, line) => sum + line.length + 1, -1);
  }

  /** The whole text of the value; undefined if it exceeds the room. */
  whole(room: number): string | undefined {
    return this.#length <= room ? this.lines.join('\n') : undefined;
  }

  /**
   * The beginning and the end of the whole text, in at most `room` characters, in time that depends on the room alone.
   */
  ends(room: number): string {
    const half = Math.floor((room - 1) / 2);
    return half < 1 ? '' : `${clip(this.#head(half), half)}\n${clipStart(this.#tail(half), half)}`;
  }

  /** The beginning of the whole text in one line of at most `room` characters. */
  start(room: number): string {
    return clip(this.#head(room).trimEnd().replaceAll('\n', '; '), room);
  }

  /** How many facts of the value a shorter text contains. Takes time that depends on that text alone. */
  countFacts(text: string): number {
    let count = 0;
    for (const fact of factsShownIn(text))
      if (wordKinds.some((kind) => this.found[kind].has(fact))) count += 1;
    return count;
  }

  /** A little more than the first `length` characters. */
  #head(length: number): string {
    let text = '';
    for (const line of this.lines) {
      if (text.length > length) break;
      text += `${line}\n`;
    }
    return text;
  }

  #tail(length: number): string {
    const last: string[] = [];
    let left = length;
    for (let at = this.lines.length - 1; at >= 0 && left >= 0; at--) {
      const line = this.lines[at] ?? '';
      last.unshift(line);
      left -= line.length + 1;
    }
    return last.join('\n');
  }
}
