import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';

/** Names that cause trouble in JavaScript objects, databases and JSON pointers. */
export const oddNames = ['__proto__', '', '\u0000', '\ud800', 'toString', '😀', '1', 'a/b~c', 'a'];

const name = fc.constantFrom(...oddNames);

/** Any JSON value, including odd names. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1.5, '', 'x', '\u0000', '\ud800'),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
})).value;

export const jsonObject: fc.Arbitrary<JsonObject> = objectOf(jsonValue);

function objectOf(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(name, value), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}
