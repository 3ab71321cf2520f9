import { preTokens } from './pre-tokens.js';

const cut = (name: keyof typeof preTokens, text: string) => text.match(preTokens[name]);

describe('pre-tokens', () => {
  it.each(['o200k_base', 'cl100k_base'] as const)(
    'are separated by the white space of Unicode in %s',
    (name) => {
      expect(cut(name, '!\u0085')).toEqual(['!', '\u0085']);
      expect(cut(name, '!\ufeff\ufeff!')).toEqual(['!\ufeff\ufeff!']);
      expect(cut(name, 'a \u0085\u2028\n b')).toEqual(['a', ' \u0085\u2028\n', ' b']);
    },
  );

  it('have contractions in any case, and with a long s', () => {
    expect(cut('o200k_base', "we'LL it'\u017f")).toEqual(["we'LL", " it'\u017f"]);
    expect(cut('cl100k_base', "we'LL it'\u017f")).toEqual(['we', "'LL", ' it', "'\u017f"]);
  });

  it('are separated by the case of letters in o200k_base only', () => {
    expect(cut('o200k_base', 'toDoListHTTP')).toEqual(['to', 'Do', 'List', 'HTTP']);
    expect(cut('cl100k_base', 'toDoListHTTP')).toEqual(['toDoListHTTP']);
  });

  it('have a slash at their end in o200k_base, so no segment begins with one', () => {
    expect(cut('o200k_base', ')\n/a')).toEqual([')\n/', 'a']);
    expect(cut('cl100k_base', ')\n/a')).toEqual([')\n', '/a']);
  });

  it('have all white space at the end of a text in one in cl100k_base', () => {
    expect(cut('cl100k_base', 'x \n  ')).toEqual(['x', ' \n  ']);
    expect(cut('o200k_base', 'x \n  ')).toEqual(['x', ' \n', '  ']);
  });

  it('lose no character', () => {
    const text = Array.from({ length: 0x3100 }, (_, code) => `${String.fromCharCode(code)} `).join(
      '',
    );
    for (const name of ['o200k_base', 'cl100k_base'] as const)
      expect(cut(name, text)?.join('')).toBe(text);
  });
});
