import { type JsonFault } from './json.errors.js';

/** As many places are named as a person may read. */
export const maxFaults = 100;
/** Names of members may be as long as the input, and every place inside one repeats it. */
const maxCharacters = 65_536;

/** Faults of an input: some are named, the others counted. */
export class FaultList {
  readonly faults: JsonFault[] = [];
  more = 0;
  #characters = 0;

  /** How many more faults the list takes; further ones are only counted. */
  get room(): number {
    return this.#characters > maxCharacters ? 0 : maxFaults - this.faults.length;
  }

  /** Counts faults that are not listed. */
  addMore(count: number): void {
    this.more += count;
  }

  /** Takes the pointer as a function, since making one costs as much as it is long. */
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
