import { excerpt, jsonExcerpt } from './excerpt.js';

describe('excerpt', () => {
  it('escapes control characters and direction marks', () => {
    expect(excerpt('a\u001b[2Jb\u0007\u202ec\ud800')).toBe('a\\u{1b}[2Jb\\u{7}\\u{202e}c\\u{d800}');
  });

  it('puts text on one line of the width, without splitting a character', () => {
    expect(excerpt(' one\r\n  two\t', 20)).toBe('one two');
    expect(excerpt('😀😀😀😀', 3)).toBe('😀😀…');
  });

  it('escapes the same characters in JSON', () => {
    expect(jsonExcerpt({ a: ['\u009b'] })).toBe('{"a":["\\u{9b}"]}');
  });
});
