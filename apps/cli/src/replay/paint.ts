import { printable } from '../printable.js';
import { type Terminal } from '../terminal.js';

/** Functions that color text, if colors are on. They always remove control characters. */
export type Paint = Readonly<
  Record<'added' | 'removed' | 'dim' | 'bold', (text: string) => string>
>;

const codes = { added: 32, removed: 31, dim: 2, bold: 1 } as const;
const reset = 0;

export function paintFor({ colors = false }: Terminal): Paint {
  const marked = (code: number) => (text: string) =>
    colors && text !== ''
      ? `${sequence(code)}${printable(text)}${sequence(reset)}`
      : printable(text);
  return {
    added: marked(codes.added),
    removed: marked(codes.removed),
    dim: marked(codes.dim),
    bold: marked(codes.bold),
  };
}

const sequences = [...Object.values(codes), reset].map(sequence);

/** Applies a change to text, except to its color sequences. */
export function withoutPaint(change: (text: string) => string): (text: string) => string {
  const painted = new RegExp(`(${sequences.join('|').replaceAll('[', '\\[')})`);
  return (text) =>
    text
      .split(painted)
      .map((piece) => (sequences.includes(piece) ? piece : change(piece)))
      .join('');
}

function sequence(code: number): string {
  return `\u001b[${code}m`;
}
