/** The maximum length of a written path in UTF-16 code units. */
export const longestDataPath = 256;

const plain = /[^.[\]"\s]+/y;
const quoted = /\["(?:[^"\\]|\\.)*"\]/y;
const jsonText = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"$/;

/** The first fault of a path, and its position. */
type DataPathFault = Readonly<{ reason: string; position: number }>;

/**
 * The names of a path into JSON, outermost first: `analyst.outputs.brief` or `analyst.outputs["a.b"]`. Names between
 * dots may contain anything except dots, brackets, quotes and white space; `["..."]` contains a JSON string.
 */
export function readDataPath(
  source: string,
): DataPathFault | Readonly<{ names: readonly string[] }> {
  if (source.length > longestDataPath)
    return { reason: `longer than ${longestDataPath} characters`, position: longestDataPath };
  const names: string[] = [];
  let at = 0;
  do {
    const read = nameAt(source, at, names.length === 0);
    if ('reason' in read) return read;
    names.push(read.name);
    at = read.end;
  } while (at < source.length);
  return { names };
}

/** Like {@link readDataPath}, but returns undefined if the text is not a path. */
export function dataPathIn(source: string): readonly string[] | undefined {
  const read = readDataPath(source);
  return 'names' in read ? read.names : undefined;
}

/** The normalized form of a path; paths to the same place have the same form. */
export function formatDataPath(names: readonly string[]): string {
  return names
    .map((name, at) =>
      isPlain(name) ? `${at > 0 ? '.' : ''}${name}` : `[${JSON.stringify(name)}]`,
    )
    .join('');
}

function isPlain(name: string): boolean {
  return matchAt(plain, name, 0) === name;
}

function nameAt(
  source: string,
  at: number,
  first: boolean,
): DataPathFault | { name: string; end: number } {
  const inBrackets = matchAt(quoted, source, at);
  if (inBrackets !== undefined) return parseBracketed(inBrackets, at);
  const dot = first ? 0 : 1;
  if (!first && source[at] !== '.') return { reason: 'a dot or ["..."] is expected', position: at };
  const name = matchAt(plain, source, at + dot);
  if (name === undefined) return { reason: 'a name is expected here', position: at + dot };
  return { name, end: at + dot + name.length };
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function parseBracketed(
  bracketed: string,
  at: number,
): DataPathFault | { name: string; end: number } {
  const text = bracketed.slice(1, -1);
  if (!jsonText.test(text))
    return { reason: 'expected a JSON string inside the brackets', position: at };
  return { name: String(JSON.parse(text)), end: at + bracketed.length };
}
