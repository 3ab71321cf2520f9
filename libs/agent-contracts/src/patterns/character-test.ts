import { PatternError } from './pattern.error.js';
import { type CharacterTest } from './pattern-syntax.js';

const ascii = 128;
/** Characters that may be escaped. Before other punctuation the backslash is ignored. */
const escapable = '^$\\.*+?()[]{}|/-';
const partOfClass = /\\[pP]\{[^}]*\}|\\[^]|[^]/gu;
const classEscape = /^\\[dDsSwWpP]/;

/** Compiles one atom to a test of code points. JavaScript's engine tests one character at a time. */
export function characterTest(atom: string): CharacterTest {
  const literal = literalOf(atom);
  if (literal !== undefined) return (code: number) => code === literal;
  const expression = expressionOf(atom);
  const known: (boolean | undefined)[] = [];
  const matches = (code: number) => expression.test(String.fromCodePoint(code));
  return Object.assign(
    (code: number) => (code < ascii ? (known[code] ??= matches(code)) : matches(code)),
    { isClass: true as const },
  );
}

function literalOf(atom: string): number | undefined {
  const code = atom.codePointAt(0) ?? 0;
  const isOne = String.fromCodePoint(code) === atom;
  return isOne && atom !== '.' ? code : undefined;
}

function expressionOf(atom: string): RegExp {
  const isClass = atom.startsWith('[');
  const written = withoutRedundantEscapes(isClass ? withPlainHyphens(atom) : atom, isClass);
  try {
    return new RegExp(`^(?:${written})$`, 'u');
  } catch {
    throw new PatternError(
      `holds ${atom}, which regular expressions of JavaScript do not know: write the characters themselves`,
    );
  }
}

/** Between a class and another character a hyphen means itself, as in `[\\w-.]`. */
function withPlainHyphens(atom: string): string {
  const parts = atom.match(partOfClass) ?? [];
  const isPlain = (at: number) =>
    [parts[at - 1], parts[at + 1]].some((neighbor) => classEscape.test(neighbor ?? ''));
  return parts.map((part, at) => (part === '-' && isPlain(at) ? '\\-' : part)).join('');
}

function withoutRedundantEscapes(atom: string, isClass: boolean): string {
  const kept = isClass ? escapable : escapable.replace('-', '');
  return atom.replace(/\\(_|[^\w\s])/gu, (escape, sign: string) =>
    kept.includes(sign) ? escape : sign,
  );
}
