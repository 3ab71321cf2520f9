/**
 * How each encoding splits text before it merges bytes: the patterns of tiktoken with the white space of Unicode. `\s`
 * in JavaScript includes U+FEFF and excludes U+0085, and the `i` flag would affect the letters too.
 */
const space = String.raw`\p{White_Space}`;
const other = String.raw`[^\p{White_Space}\p{L}\p{N}]`;
const beforeLetters = String.raw`[^\r\n\p{L}\p{N}]?`;
const contraction = "'(?:[sdmtSDMT\u017f]|[lL][lL]|[vV][eE]|[rR][eE])";
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const restOfSpace = String.raw`${space}+(?!\P{White_Space})|${space}+`;

/**
 * A single run of more than four million characters exceeds the limits of regular expressions; no event is that large.
 */
export const preTokens = {
  o200k_base: new RegExp(
    `${beforeLetters}${upper}*${lower}+(?:${contraction})?|${beforeLetters}${upper}+${lower}*(?:${contraction})?` +
      String.raw`|\p{N}{1,3}| ?${other}+[\r\n/]*|${space}*[\r\n]+|${restOfSpace}`,
    'gu',
  ),
  cl100k_base: new RegExp(
    String.raw`${contraction}|${beforeLetters}\p{L}+|\p{N}{1,3}| ?${other}+[\r\n]*` +
      String.raw`|${space}+$|${space}*[\r\n]+|${restOfSpace}`,
    'gu',
  ),
} as const;
