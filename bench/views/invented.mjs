import { partsOf } from './view-text.mjs';

/** What is cut shows where: the word beside an ellipsis is not a whole one. */
const cutWord = /[^\s…]*…[^\s…]*/g;

/**
 * The facts that a view shows of others, and those of them that are invented: its context has them nowhere, neither as
 * it was recorded nor with escapes decoded.
 */
export function findInvented(text, events, facts) {
  const shown = facts.of(contentsOf(text));
  const source = recordedText(events);
  const own = facts.of([source]);
  return {
    of: shown.size,
    found: [...shown].filter((fact) => !own.has(fact) && !facts.isShown(source, fact)),
  };
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
