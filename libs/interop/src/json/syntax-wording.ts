import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** How to correct a text that is not JSON, by the fault names of the parser. */
const wordings: Readonly<Record<string, string>> = {
  InvalidSymbol:
    'not JSON: write names and texts in double quotes; other values are numbers, true, false and null',
  InvalidNumberFormat: 'not a JSON number',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace',
  CloseBracketExpected: 'expected a closing bracket',
  EndOfFileExpected: 'the document has ended: remove the text after it',
  InvalidCommentToken: 'not a comment: write // or /* */',
  UnexpectedEndOfComment: 'the comment has no end: write */ after it',
  UnexpectedEndOfString:
    'the text has no end on its line: add a double quote, or write \\n for a new line',
  UnexpectedEndOfNumber: 'digits are missing in this number',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'JSON has no such escape: write \\\\ for a backslash',
  InvalidCharacter: 'this character must be escaped within a text',
};

export function wordingOf(code: ParseErrorCode): string {
  return wordings[printParseErrorCode(code)] ?? 'not JSON';
}
