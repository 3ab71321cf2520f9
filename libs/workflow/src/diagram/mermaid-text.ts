/** Characters that are special in Mermaid, or in the Markdown of its labels. */
const special = /["#&<>`\\|%$*~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;
/** The beginning of a Markdown list or numbered heading. */
const listMark = /^(\s*)(\d+(?=[.)])|[-+])/;

/** The quoted label of a node or an arrow. Special characters are written as numeric entities. */
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
