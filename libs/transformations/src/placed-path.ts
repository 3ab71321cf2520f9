import { ExpressionError, formatDataPath } from '#expressions';

import { type Place, parsePlace } from './place.js';

/** A path in its one spelling, the names it goes by and what it names. */
export type PlacedPath = Readonly<{ path: string; names: readonly string[]; place: Place }>;

/** A path that values are derived for, and by which transformation. */
export type DerivedPlace = PlacedPath & Readonly<{ transformationId: string }>;

/** Throws {@link ExpressionError}. */
export function placedPath(source: string): PlacedPath {
  const { place, names } = parsePlace(source);
  const path = formatDataPath(names);
  if (/\p{Cc}/u.test(path) || !path.isWellFormed())
    throw new ExpressionError('it holds control characters or lone surrogates', 0);
  return { path, names, place };
}
