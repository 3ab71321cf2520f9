import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import { JsonPart } from './json-part.js';
import { JsonPatch } from './json-patch.js';
import { JsonText } from './json-text.js';

const jsonOf = (text: string) => new JsonText({ name: 'a.json', text });

function patched(text: string, change: (patch: JsonPatch) => void): string {
  const patch = new JsonPatch(jsonOf(text));
  change(patch);
  return patch.print();
}

describe('a patch of JSON', () => {
  it('replaces, adds and removes in the layout of the text', () => {
    const text = '{\n\t"a": [1, 2],\n\t"b": {\n\t\t"c": 1.0 // one\n\t},\n\t"d": []\n}\n';
    const change = (patch: JsonPatch) => {
      patch.set(['a', 1], 3);
      patch.set(['b', 'e'], [true]);
      patch.append(['a'], 4);
      patch.append(['d'], { f: 1 });
      patch.set(['g', 'h'], null);
    };
    expect(patched(text, change)).toBe(
      '{\n\t"a": [1, 3, 4],\n\t"b": {\n\t\t"c": 1.0,\n\t\t"e": [\n\t\t\ttrue\n\t\t] // one\n\t},\n' +
        '\t"d": [\n\t\t{\n\t\t\t"f": 1\n\t\t}\n\t],\n\t"g": {\n\t\t"h": null\n\t}\n}\n',
    );
  });

  it('removes first, last and only entries', () => {
    const remove = (...paths: readonly (readonly (string | number)[])[]) =>
      patched('{"a": [1, 2, 3], "b": 4}', (patch) => paths.forEach((path) => patch.remove(path)));
    expect(remove(['a', 0])).toBe('{"a": [2, 3], "b": 4}');
    expect(remove(['a', 2])).toBe('{"a": [1, 2], "b": 4}');
    expect(remove(['a', 0], ['a', 1], ['a', 2])).toBe('{"a": [], "b": 4}');
    expect(remove(['a'], ['b'])).toBe('{}');
    expect(remove(['c', 'd'])).toBe('{"a": [1, 2, 3], "b": 4}');
  });

  it('sets the new value, and leaves everything else unchanged', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'c d');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x\n', true),
        fc.array(tie('value')),
        fc.dictionary(name, tie('value')),
      ),
    }));
    const objects = fc.dictionary(name, value);
    const indents = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(objects, name, value, indents, (object, member, newValue, indent) => {
        const text = patched(JSON.stringify(object, null, indent), (patch) =>
          patch.set([member], newValue as JsonValue),
        );
        const expected = Object.entries(object).filter(([other]) => other !== member);
        expect(new JsonPart(jsonOf(text)).value()).toEqual(
          Object.fromEntries([...expected, [member, newValue]]),
        );
      }),
    );
  });
});
