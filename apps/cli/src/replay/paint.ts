import { type Terminal } from '../terminal.js';

/** How text is marked; without colours everything is as it is. */
export type Paint = Readonly<
  Record<'added' | 'removed' | 'dim' | 'bold', (text: string) => string>
>;

const codes = { added: 32, removed: 31, dim: 2, bold: 1 } as const;

export function paintFor({ colours = false }: Terminal): Paint {
  const marked = (code: number) => (text: string) =>
    colours && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    added: marked(codes.added),
    removed: marked(codes.removed),
    dim: marked(codes.dim),
    bold: marked(codes.bold),
  };
}
