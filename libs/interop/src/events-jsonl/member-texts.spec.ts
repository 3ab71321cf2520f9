import fc from 'fast-check';

import { memberTexts } from './member-texts.js';

describe('memberTexts', () => {
  it('returns the members of any object as they are written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
        const texts = memberTexts(JSON.stringify(object, null, indent));
        const parsed = [...texts].map(([name, text]) => [name, JSON.parse(text)]);
        expect(parsed).toEqual(Object.entries(JSON.parse(JSON.stringify(object))));
      }),
    );
  });

  it('preserves the spelling of a member', () => {
    const written = String.raw`{"a" : 1.0e0 , "b\"":"\\", "c":[{"}":"\",\\\""}] ,"a":"\u0061"}`;
    expect([...memberTexts(written)]).toEqual([
      ['a', String.raw`"\u0061"`],
      ['b"', String.raw`"\\"`],
      ['c', String.raw`[{"}":"\",\\\""}]`],
    ]);
  });
});
