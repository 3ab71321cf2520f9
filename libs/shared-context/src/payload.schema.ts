import { z } from 'zod';

import {
  type InputRule,
  type JsonObject,
  type JsonValue,
  isVisible,
  visibleText,
  withInputRule,
  isJsonObject,
} from '#event-sourcing';

const maxCodePoints = 256;
const controlCharacter = /\p{Cc}/u;

/** What clients choose as an id stands in paths, and is to be recognized there. */
const usableId: InputRule = {
  always: true,
  fault: (id) => {
    if (id === '.' || id === '..')
      return 'must be neither "." nor "..", which clients take out of paths: choose another id';
    return isVisible(id)
      ? undefined
      : 'must have a visible character: choose an id that can be read';
  },
};

/** Ids and names clients choose: 1 to 256 code points, no control characters, no lone surrogates. */
export const identifier = withInputRule(idSchema(), usableId);

/** The id of an existing item. Accepts ids from before clients were restricted in choosing them. */
export const existingId = idSchema();

/**
 * The id of an item that may exist. Deciders accept any id of an existing item, and refuse ids that clients may not choose if the
 * item does not exist.
 */
export const existingOrNewId = idSchema();

/** Why clients may not choose this id, and what to do instead; undefined if they may. */
export function idFault(id: string): string | undefined {
  return usableId.fault(id);
}

/** An agent. Principals are shown by these names too, so that no agent may be called as other principals are. */
export const agentId = identifier.refine((name) => name !== 'admin' && !name.startsWith('key:'), {
  error:
    'must be neither "admin" nor begin with "key:": principals that are no agents are shown so',
});

export const contextId = withInputRule(
  z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, {
    error: 'must be 1 to 128 of the characters A-Z, a-z, 0-9, ".", "_" and "-"',
  }),
  usableId,
);

export const text = withInputRule(z.string().min(1), visibleText);

/** Any JSON, kept by reference: nothing is copied, so nothing can be lost. */
export const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'is required');

/** Any JSON object, kept by reference. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

/** A JSON object whose members become items, so that their names are bounded. */
export const namedValues = jsonObject.refine(
  (values) => Object.keys(values).every((name) => withinCodePoints(name, 0)),
  { error: 'has a name of more than 256 characters: shorten it' },
);

/** So many members one event may set; stored ones may have set more. */
export const maxMembers = 10_000;

/** {@link namedValues} as a client states them: each member is an item of its own. */
export const statedValues = namedValues.refine(
  (values) => Object.keys(values).length <= maxMembers,
  { error: 'must not have more than 10,000 members: write the others in further requests' },
);

function idSchema() {
  return z.string().refine(isIdentifier, {
    error: 'must be 1 to 256 characters without control characters or lone surrogates',
  });
}

function isIdentifier(value: string): boolean {
  return value.isWellFormed() && !controlCharacter.test(value) && withinCodePoints(value, 1);
}

function withinCodePoints(value: string, least: number): boolean {
  if (value.length > 2 * maxCodePoints) return false;
  // Most names are short, and a value has many: nothing is counted that cannot be too long.
  if (value.length <= maxCodePoints) return value.length >= least;
  const { length } = Array.from(value);
  return length >= least && length <= maxCodePoints;
}
