import { type Spend } from '#expressions';

import { stepsOfText } from '../text-steps.js';
import { type Edge } from './pattern-syntax.js';
import { type Instruction, type Pattern, type Program } from './pattern-program.js';

/** Instructions that are visited in one step. */
const instructionsPerStep = 16;
/** Steps between two pauses. */
const stepsPerPause = 500;

/** The cost of compiling a class. */
const stepsPerClass = 200;
/** A character that is in no lookup table of the engine, so that testing it compiles the class. */
const rareCharacter = 0x4e00;

/**
 * Makes the JavaScript engine compile the classes of a pattern, one per step; the engine does it in the first two
 * tests.
 */
export function* compileClasses({ classes }: Pattern, spend: Spend): Generator<undefined> {
  for (const test of classes) {
    spend(stepsPerClass);
    for (const code of [rareCharacter, rareCharacter + 1]) test(code);
    yield;
  }
}

/**
 * Whether a pattern matches somewhere in a text. Simulates the pattern's automaton (Thompson): it tracks all its states
 * at once, character by character, so the work is at most the length of the text times the size of the pattern. Calls
 * `spend` with the number of steps, and yields after some of them.
 */
export function* matchesPattern(
  { program, looks }: Pattern,
  text: string,
  spend: Spend,
): Generator<undefined, boolean> {
  // Spent before memory is allocated for each character.
  spend(stepsOfText(text.length));
  const search = new PatternSearch(codePointsOf(text), spend);
  for (const look of looks) search.looks.push(yield* search.ends(look));
  return (yield* search.ends(program, true)).includes(1);
}

class PatternSearch {
  /** For each lookahead and lookbehind, the positions at which it matches. */
  readonly looks: Uint8Array[] = [];
  #visits = 0;
  #steps = 0;

  constructor(
    private readonly text: Int32Array,
    private readonly spend: Spend,
  ) {}

  /** The positions at which matches end, for any start; only the first position or all. */
  *ends(program: Program, firstOnly = false): Generator<undefined, Uint8Array> {
    const found = new Uint8Array(this.text.length + 1);
    const { length } = program.instructions;
    let [threads, next] = [new Threads(length), new Threads(length)];
    for (const at of positions(program, this.text.length)) {
      threads.add(0);
      if (this.#follow(program, threads, at)) {
        found[at] = 1;
        if (firstOnly) return found;
      }
      this.#advance(program, { from: threads, to: next }, this.#next(program, at));
      [threads, next] = [next, threads];
      if (this.#pay()) yield;
    }
    return found;
  }

  /**
   * Adds all places that can be reached without reading a character, and returns whether the program matches here.
   */
  #follow({ instructions }: Program, threads: Threads, at: number): boolean {
    for (let next = 0; next < threads.size; next++) {
      const place = threads.places[next] ?? 0;
      const instruction = instructions[place];
      this.#visits++;
      if (instruction?.kind === 'fork') for (const to of instruction.to) threads.add(to);
      else if (instruction && this.#holds(instruction, at)) threads.add(place + 1);
    }
    // The last instruction is `match`.
    return threads.has(instructions.length - 1);
  }

  #holds(instruction: Instruction, at: number): boolean {
    if (instruction.kind === 'edge') return this.#isAtEdge(instruction.edge, at);
    if (instruction.kind !== 'look') return false;
    return (this.looks[instruction.look]?.[at] === 1) === instruction.holds;
  }

  #isAtEdge(edge: Edge, at: number): boolean {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === this.text.length;
    const isBetween = isWord(this.text[at - 1]) !== isWord(this.text[at]);
    return isBetween === (edge === 'word');
  }

  /** The next character from a position in the direction of the program; undefined at the end. */
  #next({ direction }: Program, at: number): number | undefined {
    return this.text[direction === 1 ? at : at - 1];
  }

  #advance(
    { instructions }: Program,
    { from, to }: Readonly<{ from: Threads; to: Threads }>,
    character: number | undefined,
  ): void {
    to.clear();
    if (character === undefined) return;
    for (let each = 0; each < from.size; each++) {
      const place = from.places[each] ?? 0;
      const instruction = instructions[place];
      if (instruction?.kind === 'character' && instruction.matches(character)) to.add(place + 1);
    }
  }

  /** Spends the steps, and returns whether to pause. */
  #pay(): boolean {
    const steps = Math.floor(this.#visits / instructionsPerStep);
    this.#visits -= steps * instructionsPerStep;
    this.spend(steps);
    this.#steps += steps;
    const isPause = this.#steps >= stepsPerPause;
    if (isPause) this.#steps = 0;
    return isPause;
  }
}

/** A set of places of a program, in the order in which they were added. */
class Threads {
  readonly places: Int32Array;
  readonly #isIn: Uint8Array;
  size = 0;

  constructor(length: number) {
    this.places = new Int32Array(length);
    this.#isIn = new Uint8Array(length);
  }

  add(place: number): void {
    if (this.#isIn[place] === 1) return;
    this.#isIn[place] = 1;
    this.places[this.size++] = place;
  }

  has(place: number): boolean {
    return this.#isIn[place] === 1;
  }

  clear(): void {
    for (let each = 0; each < this.size; each++) this.#isIn[this.places[each] ?? 0] = 0;
    this.size = 0;
  }
}

function* positions({ direction }: Program, length: number): Generator<number> {
  for (let step = 0; step <= length; step++) yield direction === 1 ? step : length - step;
}

function isWord(character: number | undefined): boolean {
  return character !== undefined && character < 128 && /\w/.test(String.fromCharCode(character));
}

function codePointsOf(text: string): Int32Array {
  const codePoints = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) ?? 0;
    // Skips the second half of a surrogate pair.
    if (codePoint > 0xffff) at++;
    codePoints[count++] = codePoint;
  }
  return codePoints.subarray(0, count);
}
