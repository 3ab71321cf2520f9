const leading = /^(?:story[-_. ]?)?(\d{1,6})[.-](\d{1,6})(?:\.(\d{1,6}))?(?![A-Za-z0-9])/i;

/**
 * The number with which the file of a story or of its quality gate begins: `1.2` for `1.2.story.md`, `1-2-add-a-toggle.md` and
 * `1.2-gate.yml`; undefined if there is none.
 */
export function storyNumber(path: string): string | undefined {
  const [, ...numbers] = leading.exec(path.split('/').at(-1) ?? '') ?? [];
  const known = numbers.filter((number) => number !== undefined).map(Number);
  return known.length === 0 ? undefined : known.join('.');
}
