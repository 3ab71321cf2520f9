import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** Messages for authors, by the error codes of the parser. */
const wordings: Readonly<Record<string, string>> = {
  InvalidSymbol:
    'this is not JSON: write names and texts in double quotes; other values are numbers, true, false and null',
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'text follows the end of the definition: remove it',
  InvalidCommentToken: 'this is not a comment: write // or /* */',
  UnexpectedEndOfComment: 'the comment does not end: write */ after it',
  UnexpectedEndOfString:
    'the text does not end on its line: add a double quote, or write \\n for a new line',
  UnexpectedEndOfNumber: 'digits are missing in this number',
  InvalidUnicode: 'four hexadecimal digits are expected after \\u',
  InvalidEscapeCharacter: 'JSON has no such escape: write \\\\ for a backslash',
  InvalidCharacter: 'this character must be escaped within a text',
};

export function wordingOf(code: ParseErrorCode): string {
  return wordings[printParseErrorCode(code)] ?? 'this is not JSON';
}
