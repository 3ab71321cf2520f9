const steps: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);

/**
 * The members of an object as they are written, byte for byte: a payload is hashed as text, and parsing it may not keep
 * the text. Takes JSON that `JSON.parse` has accepted and found to be an object.
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

/** Behind the closing quote. */
function endOfString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** At the comma or brace behind it. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '"') at = endOfString(json, at) - 1;
    else if (depth === 0 && ',}'.includes(character)) return at;
    else depth += steps.get(character) ?? 0;
  }
  return json.length;
}
