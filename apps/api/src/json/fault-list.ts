import { type JsonFault } from './json.errors.js';

/** The maximum number of listed faults; more would not help a reader. */
export const maxFaults = 100;
/** The maximum total length of a list: member names may be as long as the input, and every pointer into a member repeats its name. */
const maxCharacters = 65_536;

/** Faults of an input: a limited number is listed, the others are counted. */
export class FaultList {
  readonly faults: JsonFault[] = [];
  more = 0;
  #characters = 0;

  /** The number of faults that can still be listed; further ones are only counted. */
  get room(): number {
    return this.#characters > maxCharacters ? 0 : maxFaults - this.faults.length;
  }

  /** Counts faults that are not listed. */
  addMore(count: number): void {
    this.more += count;
  }

  /** Takes the pointer as a function, because building a long pointer is expensive. */
  add(pointer: () => string, detail: string, suggestion?: string): void {
    if (this.room === 0) {
      this.more += 1;
      return;
    }
    const fault = { pointer: pointer(), detail, ...(suggestion !== undefined && { suggestion }) };
    this.#characters += fault.pointer.length + detail.length;
    this.faults.push(fault);
  }
}
