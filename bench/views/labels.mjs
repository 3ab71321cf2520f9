import { partsOf } from './view-text.mjs';

/** Words that name the kind of the facts in a list instead of the facts. */
const kindWords =
  /^(?:paths|files?|identifiers|names|urls|links|numbers|amounts|errors|verdicts|facts|also|mentioned|more|others?)$/i;
/** The separators of several lists in a line. */
const listEnds = /[·;]|\.\s/;
const itemEnds = /[,|]/;
const word = /(?<![\w./:-])\p{L}[\p{L}'’-]{2,}(?![\w/-]|\.\w)/gu;
/** A member in front of its value, as JSON, YAML, programs and tables write it. */
const member = /[\p{L}_][\w -]{0,60}["'`*]*\s*[:=]+\s*[["'`({*$€£]*$/u;

/**
 * The number of facts of shortened outputs in a view that have a label: before them in their item of a list, or in its
 * first item, is a word of three letters or more that is neither a fact nor the name of a kind; or the name of a member
 * is directly before them; or prose is directly after them.
 */
export function countLabels({ text, whole, shortened }, facts) {
  const labelled = new Map();
  for (const line of shortenedLines(text, whole)) {
    const own = [...facts.of([line])].filter((fact) => shortened.has(fact));
    for (const fact of own)
      if (!labelled.get(fact)) labelled.set(fact, hasLabel(line, fact, facts));
  }
  return { told: [...labelled.values()].filter(Boolean).length, of: labelled.size };
}

function shortenedLines(text, whole) {
  return partsOf(text)
    .filter(({ heading, refs }) => !heading.startsWith('# ') && !refs.some((ref) => whole.has(ref)))
    .flatMap(({ lines }) => lines);
}

/** At any place of the fact in the line. */
export function hasLabel(line, fact, facts) {
  for (let at = line.indexOf(fact); at >= 0; at = line.indexOf(fact, at + fact.length))
    if (isLabelled(line, at, at + fact.length, facts)) return true;
  return false;
}

function isLabelled(line, start, end, facts) {
  const list = line.slice(0, start).split(listEnds).at(-1);
  const items = list.split(itemEnds);
  if (isKindList(list)) return false;
  if (member.test(items.at(-1))) return true;
  if (/^ \p{Ll}{2,}/u.test(line.slice(end))) return true;
  return [items.at(-1), items[0]].some((item) => proseIn(item, facts).length > 0);
}

function isKindList(list) {
  const [, name] = /^\W*(\w+):/.exec(list) ?? [];
  return name !== undefined && kindWords.test(name);
}

function proseIn(item, facts) {
  const own = facts.of([item]);
  const words = item.match(word) ?? [];
  return words.filter((each) => !own.has(each) && !kindWords.test(each));
}
