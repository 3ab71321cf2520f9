import { formatDataPath } from '#event-sourcing';
import { ExpressionError } from '#expressions';
import { type ContextPlace, isPlacePath } from '#shared-context';

import { parsePlace } from './place.js';

/** A path in its one spelling, the names it goes by and what it names. */
export type PlacedPath = Readonly<{ path: string; names: readonly string[]; place: ContextPlace }>;

/** A path that values are derived for, and by which transformation. */
export type DerivedPlace = PlacedPath & Readonly<{ transformationId: string }>;

/** Throws {@link ExpressionError}. */
export function placedPath(source: string): PlacedPath {
  const { place, names } = parsePlace(source);
  const path = formatDataPath(names);
  if (!isPlacePath(path))
    throw new ExpressionError('it holds control characters or lone surrogates', 0);
  return { path, names, place };
}
