import { PatternError } from './pattern.error.js';
import { type CharacterTest } from './pattern-syntax.js';

const ascii = 128;
/** Signs that JavaScript lets be escaped; of others, the backslash means nothing. */
const escapable = '^$\\.*+?()[]{}|/-';

/**
 * The characters that one atom of a regular expression means: a character, an escape, a class or the dot. JavaScript's own
 * engine says so of one character at a time, which takes no longer for one atom than for another.
 */
export function characterTest(atom: string): CharacterTest {
  const literal = literalOf(atom);
  if (literal !== undefined) return (code) => code === literal;
  const expression = expressionOf(atom);
  const known: (boolean | undefined)[] = [];
  const asked = (code: number) => expression.test(String.fromCodePoint(code));
  return (code) => (code < ascii ? (known[code] ??= asked(code)) : asked(code));
}

function literalOf(atom: string): number | undefined {
  const code = atom.codePointAt(0) ?? 0;
  const isOne = String.fromCodePoint(code) === atom;
  return isOne && atom !== '.' ? code : undefined;
}

function expressionOf(atom: string): RegExp {
  try {
    return new RegExp(`^(?:${withoutIdleEscapes(atom)})$`, 'u');
  } catch {
    throw new PatternError(
      `holds ${atom}, which regular expressions of JavaScript do not know: write the characters themselves`,
    );
  }
}

function withoutIdleEscapes(atom: string): string {
  const isClass = atom.startsWith('[');
  const kept = isClass ? escapable : escapable.replace('-', '');
  return atom.replace(/\\(_|[^\w\s])/gu, (escape, sign) =>
    kept.includes(sign) ? escape : String(sign),
  );
}
