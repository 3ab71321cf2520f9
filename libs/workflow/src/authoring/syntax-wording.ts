import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** What the author can do about a text that is not JSON, by the error codes of the parser. */
const wordings: Readonly<Record<string, string>> = {
  InvalidSymbol:
    'this is no JSON: names and texts are written in double quotes, other values are numbers, true, false and null',
  InvalidNumberFormat: 'this is no number of JSON',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'the definition has ended before: nothing may follow it',
  InvalidCommentToken: 'this begins no comment: write // or /* */',
  UnexpectedEndOfComment: 'the comment has no end: write */ after it',
  UnexpectedEndOfString:
    'the text has no end on its line: add a double quote, or write \\n for a new line',
  UnexpectedEndOfNumber: 'digits are missing in this number',
  InvalidUnicode: 'four hexadecimal digits are expected after \\u',
  InvalidEscapeCharacter: 'there is no such escape in JSON: write \\\\ for a backslash',
  InvalidCharacter: 'this character must be escaped within a text',
};

export function wordingOf(code: ParseErrorCode): string {
  return wordings[printParseErrorCode(code)] ?? 'this is no JSON';
}
