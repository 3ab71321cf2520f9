const leading = /^(?:story[-_. ]?)?(\d{1,6})[.-](\d{1,6})(?:\.(\d{1,6}))?([a-z])?(?![a-z0-9])/i;

/**
 * Returns the number at the start of the file name of a story or of its quality gate: `1.2` for `1.2.story.md`, `1-2-add-a-toggle.md` and
 * `1.2-gate.yml`, `1.4a` for `1.4a.story.md`; undefined if there is none.
 */
export function storyNumber(path: string): string | undefined {
  const match = leading.exec(path.split('/').at(-1) ?? '');
  if (!match) return undefined;
  const [, epic, story, part, letter = ''] = match;
  const numbers = [epic, story, part].filter((number) => number !== undefined).map(Number);
  return numbers.join('.') + letter.toLowerCase();
}
