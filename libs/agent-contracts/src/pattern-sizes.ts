import { contractLimits } from './limits.js';
import { PatternError } from './patterns/pattern.error.js';
import { compilePattern } from './patterns/pattern-program.js';

const { patternLength, patternSize } = contractLimits;

/** Checks the regular expressions of one schema, and limits their total size. */
export class PatternSizes {
  #left: number = patternSize;

  /** The reason why a regular expression cannot be used, and what to write instead; undefined if it can. */
  fault(source: string): string | undefined {
    if (source.length > patternLength)
      return `is longer than ${patternLength} characters: write a shorter one, or alternatives of anyOf`;
    try {
      this.#left -= compilePattern(source, this.#left).size;
      return undefined;
    } catch (error) {
      if (error instanceof PatternError) return error.reason;
      throw error;
    }
  }
}
