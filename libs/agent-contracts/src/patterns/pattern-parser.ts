import { characterTest } from './character-test.js';
import { PatternError } from './pattern.error.js';
import { type CharacterTest, type Edge, type Look, type PatternNode } from './pattern-syntax.js';

/** Maximum nesting of groups. */
const maxDepth = 50;

const quantifier = /([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const opening = /\((?:\?(?:<?[=!]|:|<[A-Za-z_$][\w$]*>))?/y;
const look = /^\(\?(<?)([=!])$/;
const reference = /\\(?:[1-9]|k)/y;
const atom =
  /\[(?:[^\]\\]|\\[^])*\]|\\u\{[\da-fA-F]+\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\[^]|[^\\()[|*+?]/uy;

const edges: Readonly<Record<string, Edge>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'word',
  '\\B': 'no-word',
};

/** Parses a JavaScript regular expression with the flag `u`. Throws {@link PatternError}. */
export function parsePattern(source: string): PatternNode {
  return new PatternParser(source).parse();
}

class PatternParser {
  #at = 0;
  #depth = 0;
  readonly #characters = new Map<string, CharacterTest>();

  constructor(private readonly source: string) {}

  parse(): PatternNode {
    const whole = this.#choice();
    if (this.#at < this.source.length) throw new PatternError('has a ")" without a "("');
    return whole;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    const [only] = options;
    return only && options.length === 1 ? only : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && !this.#isNext('|') && !this.#isNext(')'))
      parts.push(this.#repeated(this.#part()));
    return { kind: 'sequence', parts };
  }

  #part(): PatternNode {
    const group = this.#match(opening)?.[0];
    if (group !== undefined) return this.#group(group);
    if (this.#match(reference))
      throw new PatternError('refers back to a group: write what the group matches once more');
    if (this.#isAt(quantifier)) throw new PatternError(this.#fault());
    const source = this.#match(atom)?.[0];
    if (source === undefined) throw new PatternError(this.#fault());
    const edge = edges[source];
    return edge ? { kind: 'edge', edge } : { kind: 'character', matches: this.#character(source) };
  }

  #fault(): string {
    const sign = this.source[this.#at];
    if (sign === '[') return 'has a "[" without a "]"';
    if (sign === '\\') return 'ends with a backslash';
    return `has a "${sign}" with nothing to repeat before it`;
  }

  #group(sign: string): PatternNode {
    if (this.#isNext('?'))
      throw new PatternError(
        'has a group with flags, or one that JavaScript does not know: write (...)',
      );
    if (++this.#depth > maxDepth) throw new PatternError(`has groups more than ${maxDepth} deep`);
    const part = this.#choice();
    this.#depth--;
    if (!this.#take(')')) throw new PatternError('has a "(" without a ")"');
    const [, behind, holds] = look.exec(sign) ?? [];
    return holds === undefined ? part : lookOf(part, behind === '<', holds === '=');
  }

  #repeated(part: PatternNode): PatternNode {
    const start = this.#at;
    const found = this.#match(quantifier);
    if (!found) return part;
    if (part.kind === 'edge' || (part.kind === 'look' && part.direction === 'behind'))
      throw new PatternError(
        `has "${this.source.slice(start, this.#at)}" behind ^, $, \\b, \\B or a lookbehind, which cannot repeat: leave it out`,
      );
    const [minimum, maximum] = boundsOf(found);
    if (maximum < minimum)
      throw new PatternError(`repeats at least ${minimum} and at most ${maximum} times`);
    return { kind: 'repeat', part, minimum, maximum };
  }

  /** Equal atoms share one test and its cache. */
  #character(source: string): CharacterTest {
    const known = this.#characters.get(source) ?? characterTest(source);
    this.#characters.set(source, known);
    return known;
  }

  #isNext(sign: string): boolean {
    return this.source.startsWith(sign, this.#at);
  }

  #take(sign: string): boolean {
    const isThere = this.#isNext(sign);
    if (isThere) this.#at += sign.length;
    return isThere;
  }

  #isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.source);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function lookOf(part: PatternNode, isBehind: boolean, holds: boolean): Look {
  return { kind: 'look', direction: isBehind ? 'behind' : 'ahead', holds, part };
}

function boundsOf([, sign, minimum, comma, maximum]: RegExpExecArray): readonly [number, number] {
  if (minimum === undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity];
  if (comma === undefined) return [Number(minimum), Number(minimum)];
  return [Number(minimum), maximum === '' ? Infinity : Number(maximum)];
}
