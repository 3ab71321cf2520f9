import { printable } from '../printable.js';
import { type Terminal } from '../terminal.js';

/** How text is marked; without colours it is not. Text that could steer the terminal is made harmless in any case. */
export type Paint = Readonly<
  Record<'added' | 'removed' | 'dim' | 'bold', (text: string) => string>
>;

const codes = { added: 32, removed: 31, dim: 2, bold: 1 } as const;
const reset = 0;

export function paintFor({ colours = false }: Terminal): Paint {
  const marked = (code: number) => (text: string) =>
    colours && text !== ''
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

/** Changes text but for the sequences with which it was painted. */
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
