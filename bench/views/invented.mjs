import { partsOf } from './view-text.mjs';

/** What is cut shows where: the word beside an ellipsis is not a whole one. */
const cutWord = /[^\s…]*…[^\s…]*/g;

/** A list by kind of fact, which is all of a line or the end of one. */
const list = /(?:^(?:paths|urls|identifiers|numbers|errors): | · )([^·]+)$/;
const timesListed = / \(\d+\)$/;
/** Between two facts of a list, or two groups of facts with a label each. */
const separator = /[;,] /;
const label = /^[^:]{1,20}: /;

/**
 * The facts that a view shows of others, and those of them that are invented: its context has them nowhere, neither as
 * it was recorded nor with escapes decoded. What the view lists as facts is looked up whatever the patterns say of it.
 */
export function findInvented(text, events, facts) {
  const lines = contentsOf(text);
  const shown = new Set([...facts.of(lines), ...lines.flatMap(listedIn)]);
  const source = recordedText(events);
  // A closing tag is no path.
  const withoutTags = source.replaceAll('</', '< ');
  const own = facts.of([source]);
  const isKnown = (fact) =>
    own.has(fact) || facts.isShown(fact.startsWith('/') ? withoutTags : source, fact);
  return { of: shown.size, found: [...shown].filter((fact) => !isKnown(fact)) };
}

/** The words of a list, and the numbers with their units; not members with their values. */
function listedIn(line) {
  const [, items = ''] = list.exec(line) ?? [];
  return items
    .split(separator)
    .map((item) => item.replace(label, '').replace(timesListed, '').trim())
    .filter((item) => /^(?:[^\s:…]{2,}|\S*\d (?:%|\p{L}+))$/u.test(item));
}

/** The head of a roll-up counts what it rolls up, in words of the product. */
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
