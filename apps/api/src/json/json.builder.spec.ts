import fc from 'fast-check';

import { runAtOnce } from '#slices';

import { JsonBuilder } from './json.builder.js';
import { JsonScanner } from './json.scanner.js';

function build(text: string, pieceLength: number): unknown {
  const builder = new JsonBuilder(text, pieceLength);
  runAtOnce(new JsonScanner(text, builder).scan(Infinity));
  return builder.value;
}

describe('the JSON builder', () => {
  it('builds the same value as JSON.parse, with pieces of any length', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom(0, 1, '\t'),
        fc.integer({ min: 0, max: 40 }),
        (value, indent, pieceLength) => {
          const text = JSON.stringify(value, null, indent);
          const built = build(text, pieceLength);
          expect(built).toEqual(JSON.parse(text));
          expect(JSON.stringify(built)).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '{"a":1,"__proto__":{"b":[1,2,3]},"c":2}',
    '[[[1,2],[3]],[],{},[[]]]',
    ' { "a" : [ ] , "b" : { } , "c" : [ 1 , { "d" : null } , 2 ] } ',
    '{"":{"":[{"":""}]}}',
    '{"2":[1],"1":[2],"b":[3],"a":[4]}',
  ])('builds %s in pieces', (text) => {
    for (const pieceLength of [0, 1, 2, 3, 5, 8]) {
      const built = build(text, pieceLength);
      expect(JSON.stringify(built)).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});
