import { partsOf } from './view-text.mjs';

/** An ellipsis marks a cut: the word next to it is incomplete. */
const cutWord = /[^\s…]*…[^\s…]*/g;

/** A list by kind of fact, which is a whole line or the end of one. */
const list = /(?:^(?:paths|urls|identifiers|numbers|errors): | · )([^·]+)$/;
const timesListed = / \(\d+\)$/;
/** The separators of facts in a list, and of groups of facts with a label each. */
const separator = /[;,] /;
const label = /^[^:]{1,20}: /;

/**
 * The facts in a view, and the invented ones, which its context does not contain, neither verbatim nor with decoded
 * escapes. Items that the view lists as facts are checked regardless of the patterns.
 */
export function findInvented(text, events, facts) {
  const lines = contentsOf(text);
  const shown = new Set([...facts.of(lines), ...lines.flatMap(listedIn)]);
  const source = recordedText(events);
  // A closing tag is not a path.
  const withoutTags = source.replaceAll('</', '< ');
  const own = facts.of([source]);
  const isKnown = (fact) =>
    own.has(fact) || facts.isShown(fact.startsWith('/') ? withoutTags : source, fact);
  return { of: shown.size, found: [...shown].filter((fact) => !isKnown(fact)) };
}

/** The words of a list, and the numbers with their units, but not members with their values. */
function listedIn(line) {
  const [, items = ''] = list.exec(line) ?? [];
  return items
    .split(separator)
    .map((item) => item.replace(label, '').replace(timesListed, '').trim())
    .filter((item) => /^(?:[^\s:…]{2,}|\S*\d (?:%|\p{L}+))$/u.test(item));
}

/** The head of a roll-up counts its entries, in words of the product. */
function contentsOf(text) {
  return partsOf(text).flatMap(({ isRollup, lines }) =>
    (isRollup ? lines.slice(1) : lines).map((line) => line.replaceAll(cutWord, ' … ')),
  );
}

function recordedText(events) {
  return events
    .flatMap(({ principal, data }) => [principal, JSON.stringify(data), ...leavesOf(data)])
    .join('\n');
}

function leavesOf(value) {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => [name, ...leavesOf(member)]);
}
