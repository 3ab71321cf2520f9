import { shellWord } from './shell-word.js';

describe('a word of a command', () => {
  it.each([
    ['login-design_1.0', 'login-design_1.0'],
    ['a; id', "'a; id'"],
    ['$(id)`id`', "'$(id)`id`'"],
    ["it's", String.raw`'it'\''s'`],
    ['-a', "'-a'"],
    ['', "''"],
    ['a\u202eb', "'a\u27e8U+202E\u27e9b'"],
  ])('is quoted if it is not an id: %j', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});
