import { SmallCache } from '../segments/small-cache.js';
import { type Segment } from '../segments/segment.js';
import { type Tokenizer } from '../tokens/tokenizer.js';

/** How many segments are cached: each budget uses several forms. */
const maxForms = 8;

/**
 * Cached token counts and segments of the texts of an entry or part. The texts never change, and the cache is freed
 * with its owner.
 */
export class TextMemory {
  /** By tokenizer and form; only forms that do not depend on a budget. */
  readonly #units = new Map<string, number>();
  readonly #segments = new SmallCache<Segment>(maxForms);

  hasUnits({ name }: Tokenizer, form: string): boolean {
    return this.#units.has(`${name} ${form}`);
  }

  units(tokenizer: Tokenizer, form: string, text: () => string): number {
    const known = this.#units.get(`${tokenizer.name} ${form}`);
    return known ?? this.learnUnits(tokenizer, form, tokenizer.unitsOf(text()));
  }

  learnUnits({ name }: Tokenizer, form: string, units: number): number {
    this.#units.set(`${name} ${form}`, units);
    return units;
  }

  segment({ name }: Tokenizer, form: string, make: () => Segment): Segment {
    return this.#segments.find(`${name} ${form}`, make);
  }
}
