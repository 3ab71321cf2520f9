import { type JsonObject } from '#event-sourcing';
import {
  type Search,
  UnsearchedMemberError,
  WordQueryError,
  parseWordQuery,
  splitPattern,
} from '#read-models';

import { InvalidInputError } from '../errors.js';

type SearchRequest = Readonly<{
  /** Words, as {@link parseWordQuery} reads them. */
  q?: string | undefined;
  /** A part of a document, in its shape. */
  contains?: JsonObject | undefined;
}>;

/** Each part takes its own lookup. */
const maxParts = 32;

/** Parses a search; undefined if none is requested. Throws {@link InvalidInputError}. */
export function searchOf({ q, contains }: SearchRequest): Search | undefined {
  if (q === undefined && contains === undefined) return undefined;
  return {
    words: q === undefined ? undefined : wordsIn(q),
    parts: contains === undefined ? undefined : partsOf(contains),
  };
}

function wordsIn(q: string) {
  try {
    return parseWordQuery(q);
  } catch (error) {
    if (!(error instanceof WordQueryError)) throw error;
    throw new InvalidInputError([{ pointer: '/q', detail: error.message }]);
  }
}

function partsOf(contains: JsonObject) {
  try {
    const parts = splitPattern(contains);
    if (parts.length <= maxParts) return parts;
    throw refusedPattern(`names more than ${maxParts} parts of a document`);
  } catch (error) {
    if (!(error instanceof UnsearchedMemberError)) throw error;
    throw refusedPattern(`${error.message}: use members that events set directly`);
  }
}

function refusedPattern(detail: string): InvalidInputError {
  return new InvalidInputError([{ pointer: '/contains', detail }]);
}
