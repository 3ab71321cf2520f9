import { type Source } from '#shared-context';

type Columns = readonly [
  type: Source['type'],
  visibility: Source['visibility'],
  author: string,
  step: string | null,
  about: string | null,
];

/** The sources of an item as its row keeps them; null if nobody has kept them. */
export function encodeSources(sources: readonly Source[] | undefined): string | null {
  if (!sources) return null;
  const columns = sources.map(({ type, visibility, author, step, about }): Columns => [
    type,
    visibility,
    author,
    step,
    about,
  ]);
  return JSON.stringify(columns);
}

export function decodeSources(text: string | null): readonly Source[] | undefined {
  if (text === null) return undefined;
  // JSON text that this library wrote itself.
  const columns = JSON.parse(text) as readonly Columns[];
  return columns.map(([type, visibility, author, step, about]) => ({
    ...{ type, visibility, author, step, about },
  }));
}
