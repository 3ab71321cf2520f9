import { formatDataPath } from '#event-sourcing';
import { ExpressionError } from '#expressions';
import { type ContextPlace, isPlacePath } from '#shared-context';

import { parsePlace } from './place.js';

/** A path in its normalized form, with its names and the place to which it leads. */
export type PlacedPath = Readonly<{ path: string; names: readonly string[]; place: ContextPlace }>;

/** A destination, and the transformation that derives its value. */
export type DerivedPlace = PlacedPath & Readonly<{ transformationId: string }>;

/** Throws {@link ExpressionError}. */
export function placedPath(source: string): PlacedPath {
  const { place, names } = parsePlace(source);
  const path = formatDataPath(names);
  if (!isPlacePath(path))
    throw new ExpressionError('it contains control characters or lone surrogates', 0);
  return { path, names, place };
}
