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

/** Ids that clients choose appear in URL paths, so they must survive there and be readable. */
const usableId: InputRule = {
  always: true,
  fault: (id) => {
    if (id === '.' || id === '..')
      return 'must be neither "." nor "..", which HTTP clients remove from paths: choose another id';
    return isVisible(id)
      ? undefined
      : 'must have a visible character: choose an id that can be read';
  },
};

/** Ids and names that clients choose: 1 to 256 code points without control characters or lone surrogates. */
export const identifier = withInputRule(idSchema(), usableId);

/** The id of an existing item. Also accepts ids from before the rules for new ids. */
export const existingId = idSchema();

/**
 * The id of an item that may exist. Deciders accept any id of an existing item, and refuse ids that clients may not
 * choose if the item does not exist.
 */
export const existingOrNewId = idSchema();

/** The reason why clients may not choose this id, and what to do instead; undefined if they may. */
export function idFault(id: string): string | undefined {
  return usableId.fault(id);
}

/** The id of an agent. Other principals appear under reserved names, which agents may not have. */
export const agentId = identifier.refine((name) => name !== 'admin' && !name.startsWith('key:'), {
  error:
    'must not be "admin" or begin with "key:": these names are reserved for principals that are not agents',
});

export const contextId = withInputRule(
  z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, {
    error: 'must be 1 to 128 of the characters A-Z, a-z, 0-9, ".", "_" and "-"',
  }),
  usableId,
);

export const text = withInputRule(z.string().min(1), visibleText);

/** Any JSON. The value is not copied, so that parsing cannot change it. */
export const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'is required');

/** Any JSON object. The value is not copied. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

/** A JSON object whose members become items; their names are the keys, and so have a maximum length. */
export const namedValues = jsonObject.refine(
  (values) => Object.keys(values).every((name) => withinCodePoints(name, 0)),
  { error: 'has a name of more than 256 characters: shorten it' },
);

/** Limit for new events; stored events may set more members. */
export const maxMembers = 10_000;

/** {@link namedValues} with the limit for values that a client sends. */
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

function withinCodePoints(value: string, minimum: number): boolean {
  if (value.length > 2 * maxCodePoints) return false;
  // Fast path: a text has at most as many code points as UTF-16 units.
  if (value.length <= maxCodePoints) return value.length >= minimum;
  const { length } = Array.from(value);
  return length >= minimum && length <= maxCodePoints;
}
