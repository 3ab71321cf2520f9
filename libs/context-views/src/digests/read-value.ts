import { type JsonValue } from '#event-sourcing';

import { finish } from '#shared-context';

import { type FoundFacts, addFactsInSteps, noFacts } from './found-facts.js';
import { LineRanks } from './line-ranks.js';
import { valueLines } from './value-lines.js';

/** What was read of a value: any number of shorter forms are made of it. */
export class Reading {
  static of(value: JsonValue): Reading {
    return finish(Reading.inSteps(value));
  }

  /** As {@link of}, in steps. */
  static *inSteps(value: JsonValue): Generator<void, Reading> {
    const found = noFacts();
    const ranks = new LineRanks();
    const lines: string[] = [];
    for (const line of valueLines(value)) {
      lines.push(ranks.add(line));
      yield* addFactsInSteps(line.text, found);
      yield;
    }
    return new Reading(found, ranks, lines);
  }

  readonly #length: number;

  private constructor(
    readonly found: FoundFacts,
    readonly ranks: LineRanks,
    private readonly lines: readonly string[],
  ) {
    this.#length = lines.reduce((sum, line) => sum + line.length + 1, -1);
  }

  /** All that the value tells, where that takes no more than the room. */
  whole(room: number): string | undefined {
    return this.#length <= room ? this.lines.join('\n') : undefined;
  }
}
