const steps: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);

const marks = /[",{}[\]]/g;

/**
 * The members of an object as they are written, byte for byte: a payload is hashed as text, and parsing may not
 * preserve the text. The input must be JSON that `JSON.parse` has accepted as an object.
 */
export function memberTexts(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at);
    const name: unknown = JSON.parse(json.slice(at, nameEnd));
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const end = endOfValue(json, start);
    members.set(String(name), json.slice(start, end).trimEnd());
    at = skipSpace(json, end + 1);
  }
  return members;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (' \t\n\r'.includes(json[at] ?? 'end')) at++;
  return at;
}

/** The index after the closing quote. */
function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

/** The index of the comma or brace after the value. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  for (let at = nextMark(json, from); at !== -1; at = nextMark(json, at)) {
    const mark = json[at] ?? '';
    if (depth === 0 && ',}'.includes(mark)) return at;
    depth += steps.get(mark) ?? 0;
    at = mark === '"' ? endOfString(json, at) : at + 1;
  }
  return json.length;
}

/** The index of the next character that begins or ends something, or -1. */
function nextMark(json: string, from: number): number {
  marks.lastIndex = from;
  return marks.exec(json)?.index ?? -1;
}
