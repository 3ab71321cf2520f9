import { z } from 'zod';

import { visibilities } from '#event-sourcing';
import { type Source, contextEvents } from '#shared-context';

const storedSource = z.tuple([
  z.enum(contextEvents.map(({ type }) => type)),
  z.enum(visibilities),
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
]);
const storedSources = z.array(storedSource);

/** The sources of an item as its row stores them; null if none are stored. */
export function encodeSources(sources: readonly Source[] | undefined): string | null {
  if (!sources) return null;
  const columns = sources.map(
    ({ type, visibility, author, step, about }): z.input<typeof storedSource> => [
      type,
      visibility,
      author,
      step,
      about,
    ],
  );
  return JSON.stringify(columns);
}

export function decodeSources(text: string | null): readonly Source[] | undefined {
  if (text === null) return undefined;
  return storedSources.parse(JSON.parse(text)).map(([type, visibility, author, step, about]) => ({
    type,
    visibility,
    author,
    step,
    about,
  }));
}
