import { jsonOf } from './parameters.js';

describe('JSON as text', () => {
  it('is parsed, and other text is returned unchanged', () => {
    expect([jsonOf('{"n":1}', []), jsonOf('12', []), jsonOf('words', [])]).toEqual([
      { n: 1 },
      12,
      'words',
    ]);
  });

  it('stays a text if it is a number that no double represents exactly', () => {
    expect(jsonOf('12345678901234567890', [])).toBe('12345678901234567890');
  });

  it('is refused if it contains such a number', () => {
    expect(() => jsonOf('[12345678901234567890]', ['value'])).toThrow(/give it as a string/);
  });
});
