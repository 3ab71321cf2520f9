import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import { AuthoredText } from '../authoring/authored-text.js';
import { canonicalJson, definitionHash } from './content-hash.js';

const valueOf = (text: string): JsonValue => new AuthoredText(text).value ?? null;

describe('definitionHash', () => {
  it('hashes the canonical form', () => {
    const text = '{ "b": [1.0, 1e2, "\\u00e9"], /* no */ "a": { "z": null, "Z": true }, }';
    expect(canonicalJson(valueOf(text))).toBe('{"a":{"Z":true,"z":null},"b":[1,100,"é"]}');
    expect(definitionHash(valueOf(text), (canonical) => `hash of ${canonical}`)).toBe(
      'hash of {"a":{"Z":true,"z":null},"b":[1,100,"é"]}',
    );
  });

  it('ignores the order of members and nothing else', () => {
    const reversed = (value: JsonValue): JsonValue => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(reversed);
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (generated) => {
        const value: JsonValue = JSON.parse(JSON.stringify(generated));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });
});
