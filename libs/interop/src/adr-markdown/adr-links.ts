/**
 * The relation of a record to another one: `supersedes` and `superseded-by` replace it; the others only relate to it.
 */
export type AdrRelation = 'supersedes' | 'superseded-by' | 'relates' | 'requires' | 'enables';

/** `target`: the target of the link, '' if there is only a name. `line`: the line in the document. */
export type AdrLink = Readonly<{
  relation: AdrRelation;
  label: string;
  target: string;
  line: number;
}>;

const verbs: readonly (readonly [AdrRelation, RegExp])[] = [
  ['superseded-by', /^(?:supersed|superced|superseed|replac|obsolet)ed(?:[- ]by)?$/i],
  ['supersedes', /^(?:supersed|superced|superseed|replac|obsolet)e?s$/i],
  ['requires', /^(?:depends[- ]on|requires|builds[- ]on|based[- ]on)$/i],
  ['enables', /^(?:enables|required[- ]by)$/i],
];

const verb =
  /(?<!\w)(?:(?:supersed|superced|superseed|replac|obsolet)(?:ed[- ]by|e?s|ed)|depends[- ]on|requires|builds[- ]on|based[- ]on|enables|required[- ]by|amend(?:s|ed[- ]by)|extend(?:s|ed[- ]by)|clarifie(?:s|d[- ]by)|supplement(?:s|ed[- ]by)|refine(?:s|d[- ]by)|updated?s?[- ]by|updates|relates[- ]to|related([- ]to)?|see(?:[- ]also)?)(?!\w)/gi;

/** A Markdown link, a wiki link, or the number of a record. */
const reference =
  /\[([^\][\n]{1,200})\]\(<?([^()<>\s]{1,400})>?(?: "[^"]{0,200}")?\)|\[\[([^\][\n]{1,200})\]\]|(?<![\w/])((?:[A-Z]{1,8}[- ]?)?#?\d{1,6}(?:-[\w-]{1,100})?(?:\.md)?)(?![\w/])/g;

/** Longer lines are text of the record, not links. */
const longestLine = 2_000;

/** The links in a line, by the verb before each link. `otherwise`: the relation of a link without a verb. */
export function linksIn(text: string, line: number, otherwise?: AdrRelation): AdrLink[] {
  if (text.length > longestLine) return [];
  const found = [...text.matchAll(verb)].map((match) => ({ at: match.index, word: match[0] }));
  const parts = found.map(({ at, word }, index) => ({
    relation: relationOf(word),
    text: text.slice(at + word.length, found[index + 1]?.at),
  }));
  const before = text.slice(0, found[0]?.at);
  const stated = parts.flatMap((part) => referencesIn(part.text, part.relation, line));
  return otherwise ? [...referencesIn(before, otherwise, line), ...stated] : stated;
}

/** All references in a text, with the same relation. */
export function referencesIn(text: string, relation: AdrRelation, line: number): AdrLink[] {
  if (text.length > longestLine) return [];
  return [...text.matchAll(reference)].map(([, label, target, wiki, number]) => ({
    relation,
    line,
    label: (label ?? wiki ?? number ?? '').trim(),
    target: target ?? wiki ?? '',
  }));
}

/** The relation that the name of a front matter member states; undefined if it states none. */
export function relationOfKey(key: string): AdrRelation | undefined {
  const name = key.replaceAll(/[ _-]+/g, ' ').trim();
  verb.lastIndex = 0;
  const found = verb.exec(name)?.[0];
  verb.lastIndex = 0;
  return found === undefined || found.length !== name.length ? undefined : relationOf(name);
}

function relationOf(word: string): AdrRelation {
  return verbs.find(([, pattern]) => pattern.test(word))?.[0] ?? 'relates';
}
