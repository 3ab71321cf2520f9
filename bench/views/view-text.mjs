const fence = /^`{3,}$/;
const codeSpans = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const refs = /\b(?:[a-z][a-z-]*):(?:[A-Za-z0-9._-]|~[0-9a-f]{4})+/g;
const heading = /^(?:#|- )/;

/**
 * A view as parts, divided by its headings. `refs`: the refs in its heading; `lines`: the content of others, which is
 * in fences, or in a code span after a heading and a colon.
 */
export function partsOf(text) {
  const parts = [];
  let open;
  for (const line of text.split('\n')) {
    if (open !== undefined) {
      if (line === open) open = undefined;
      else parts.at(-1)?.lines.push(line);
    } else if (fence.test(line)) open = line;
    else if (heading.test(line) || parts.length === 0) parts.push(partUnder(line));
    else parts.at(-1).lines.push(...spansIn(line));
  }
  return parts;
}

function partUnder(line) {
  const end = line.indexOf(': `');
  const words = end < 0 ? line : line.slice(0, end);
  return {
    heading: line,
    refs: words.match(refs) ?? [],
    isRollup: /\brollup:/.test(words),
    lines: end < 0 ? [] : spansIn(line.slice(end)),
  };
}

function spansIn(line) {
  return Array.from(line.matchAll(codeSpans), ([, , content]) => content.trim());
}
