const withId = /^([\w.-]{1,64}): *(?=\S)/;
const digit = /\d/;

/** `F-1: User login` begins with an id; a word without digits is not an id. */
export function splitRequirement(line: string): Readonly<{ id?: string; text: string }> {
  const [prefix, id] = withId.exec(line) ?? [];
  if (prefix === undefined || id === undefined || !digit.test(id)) return { text: line };
  return { id, text: line.slice(prefix.length) };
}
