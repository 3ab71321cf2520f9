type Groups = readonly [string, string, string, string, string, string];

/** What a pattern and its first five groups match; empty for a group that takes no part, and for all if nothing matches. */
export function matchedGroups(pattern: RegExp, text: string): Groups {
  const found: readonly (string | undefined)[] = pattern.exec(text) ?? [];
  const [all = '', one = '', two = '', three = '', four = '', five = ''] = found;
  return [all, one, two, three, four, five];
}
