type Groups = readonly [string, string, string, string, string, string];

/**
 * The matches of a pattern and its first five groups; empty for a group without a match, and for all if the pattern
 * does not match.
 */
export function matchedGroups(pattern: RegExp, text: string): Groups {
  const found: readonly (string | undefined)[] = pattern.exec(text) ?? [];
  const [all = '', one = '', two = '', three = '', four = '', five = ''] = found;
  return [all, one, two, three, four, five];
}
