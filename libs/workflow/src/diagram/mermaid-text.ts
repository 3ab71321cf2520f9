/** Characters that Mermaid, or Markdown in its labels, does not read as plain text. */
const special = /["#&<>`\\|%$*~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;
/** What begins a list or a heading of Markdown. */
const listMark = /^(\s*)(\d+(?=[.)])|[-+])/;

/** The label of a node or of an arrow, in quotes. Characters with a meaning are written as entities by their numbers. */
export function mermaidText(...lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br>')}"`;
}

function escaped(line: string): string {
  return line
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(special, entity)
    .replace(listMark, (_, space: string, mark: string) => space + mark.replace(/.$/, entity));
}

function entity(character: string): string {
  return `#${character.charCodeAt(0)};`;
}
