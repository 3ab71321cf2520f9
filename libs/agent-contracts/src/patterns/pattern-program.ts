import { parsePattern } from './pattern-parser.js';
import { PatternError } from './pattern.error.js';
import { type CharacterTest, type Edge, type Look, type PatternNode } from './pattern-syntax.js';

/** The direction in which a text is read. */
type Direction = 1 | -1;

/** An instruction. `to`: the indexes of the possible next instructions. */
export type Instruction =
  | Readonly<{ kind: 'character'; matches: CharacterTest }>
  | Readonly<{ kind: 'fork'; to: readonly number[] }>
  | Readonly<{ kind: 'edge'; edge: Edge }>
  | Readonly<{ kind: 'look'; look: number; holds: boolean }>
  | Readonly<{ kind: 'match' }>;

export type Program = Readonly<{ direction: Direction; instructions: readonly Instruction[] }>;

/**
 * `looks`: the programs of its lookaheads and lookbehinds; inner ones precede outer ones. `classes`: its tests that are
 * classes.
 */
export type Pattern = Readonly<{
  program: Program;
  looks: readonly Program[];
  classes: readonly CharacterTest[];
  size: number;
}>;

/** Maximum number of lookaheads and lookbehinds of a pattern. */
const maxLooks = 16;

/** Throws {@link PatternError}. `maxSize`: the maximum number of instructions; the part of a{3} counts three times. */
export function compilePattern(source: string, maxSize: number): Pattern {
  return new PatternCompiler(maxSize).compile(parsePattern(source));
}

class PatternCompiler {
  #size = 0;
  readonly #looks: Program[] = [];
  readonly #lookOf = new Map<Look, number>();

  constructor(private readonly maxSize: number) {}

  compile(node: PatternNode): Pattern {
    const program = this.#program(node, 1);
    const looks = this.#looks;
    return { program, looks, classes: classesOf([program, ...looks]), size: this.#size };
  }

  #program(node: PatternNode, direction: Direction): Program {
    const emitter = new Emitter(
      direction,
      (look) => this.#look(look),
      () => this.#grow(),
    );
    return { direction, instructions: emitter.program(node) };
  }

  /**
   * Compiles a lookaround. A lookahead is matched from right to left and a lookbehind from left to right, so that the
   * match ends at the position of the lookaround.
   */
  #look(look: Look): number {
    const known = this.#lookOf.get(look);
    if (known !== undefined) return known;
    const program = this.#program(look.part, look.direction === 'ahead' ? -1 : 1);
    if (this.#looks.length === maxLooks)
      throw new PatternError(`has more than ${maxLooks} lookaheads and lookbehinds`);
    const index = this.#looks.push(program) - 1;
    this.#lookOf.set(look, index);
    return index;
  }

  #grow(): void {
    if (++this.#size > this.maxSize)
      throw new PatternError(
        'is too large, with the patterns before it and all repetitions written out: limit the length with maxLength instead of {n,m}',
      );
  }
}

function classesOf(programs: readonly Program[]): readonly CharacterTest[] {
  const tests = programs.flatMap(({ instructions }) =>
    instructions.flatMap((one) => (one.kind === 'character' ? [one.matches] : [])),
  );
  return [...new Set(tests)].filter(({ isClass }) => isClass);
}

class Emitter {
  readonly #instructions: Instruction[] = [];

  constructor(
    private readonly direction: Direction,
    private readonly look: (look: Look) => number,
    /** Counts every part, empty ones too, so that their repetition is limited. */
    private readonly grow: () => void,
  ) {}

  program(node: PatternNode): readonly Instruction[] {
    this.#emit(node);
    this.#push({ kind: 'match' });
    return this.#instructions;
  }

  #emit(node: PatternNode): void {
    this.grow();
    switch (node.kind) {
      case 'character':
      case 'edge':
        return this.#push(node);
      case 'look':
        return this.#push({ kind: 'look', look: this.look(node), holds: node.holds });
      case 'sequence':
        return this.#sequence(node.parts);
      case 'choice':
        return this.#choice(node.options);
      case 'repeat':
        return this.#repeat(node);
    }
  }

  #sequence(parts: readonly PatternNode[]): void {
    for (const part of this.direction === 1 ? parts : parts.toReversed()) this.#emit(part);
  }

  #choice(options: readonly PatternNode[]): void {
    const fork = this.#reserve();
    const ends: number[] = [];
    const starts = options.map((option) => {
      const start = this.#instructions.length;
      this.#emit(option);
      ends.push(this.#reserve());
      return start;
    });
    this.#instructions[fork] = { kind: 'fork', to: starts };
    for (const end of ends) this.#jumpToEnd(end);
  }

  #repeat({ part, minimum, maximum }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let count = 0; count < minimum; count++) this.#emit(part);
    if (maximum === Infinity) return this.#loop(part);
    const forks: number[] = [];
    for (let count = minimum; count < maximum; count++) {
      forks.push(this.#reserve());
      this.#emit(part);
    }
    const end = this.#instructions.length;
    for (const fork of forks) this.#instructions[fork] = { kind: 'fork', to: [fork + 1, end] };
  }

  #loop(part: PatternNode): void {
    const fork = this.#reserve();
    this.#emit(part);
    this.#push({ kind: 'fork', to: [fork] });
    this.#instructions[fork] = { kind: 'fork', to: [fork + 1, this.#instructions.length] };
  }

  #jumpToEnd(place: number): void {
    this.#instructions[place] = { kind: 'fork', to: [this.#instructions.length] };
  }

  /** Adds a placeholder that is replaced later, and returns its index. */
  #reserve(): number {
    this.#push({ kind: 'fork', to: [] });
    return this.#instructions.length - 1;
  }

  #push(instruction: Instruction): void {
    this.grow();
    this.#instructions.push(instruction);
  }
}
