import { CodeLines } from './code-lines.js';
import { type Heading, headingAfter, isHeading, isMark } from './headings.js';
import { type ValueLine } from './value-lines.js';

/** Ranks of lines, the most important first. */
const lineRanks = [
  'action',
  'outcome',
  'purpose',
  'verdict',
  'open',
  'error',
  'field',
  'heading',
  'item',
  'other',
  'wrapper',
  'scrap',
] as const;

export type LineRank = (typeof lineRanks)[number];

/** A line with its index among all lines; `text`: with its key, if it has one; `bare`: without it. */
export type RankedLine = Readonly<{ at: number; rank: LineRank; text: string; bare: string }>;

const verdictKey =
  /^(?:status|verdict|gate|result|outcome|decision|conclusion|resolution|recommendation|passed|approved|is_?correct|success|quality_?score|score|root_?cause|exit_?code|state)$/i;
const fieldKey =
  /^(?:title|name|summary|description|reason|status_?reason|message|question|answer|goal|task|objective|thought|chosen|reasoning|finding|problem|solution|subject|text|notes?)$/i;
const titleMember = /^(?:title|name|subject): /i;
const openKey =
  /^(?:next|next_?(?:steps?|actions?)|todos?|open_?(?:questions?|points?|issues?|items?)|blockers?|blocked_?by|remaining_?work|follow_?ups?|concerns|unresolved|known_?(?:issues|limitations)|top_?issues)$/i;
/** Values of a member for open points that leave nothing open, or only point to a page. */
const notOpen = /^(?:[-+]?[\d.,]+|true|false|none|no|n\/a|https?:\/\/\S+)$/i;
/** A box that is not ticked, or a label of remaining work. */
const openLine =
  /^(?:[-*+•]\s+)?(?:\[ \]\s+\S|[*_]{0,3}(?:todo|open (?:questions?|points?|issues?)|next(?: steps?)?|follow-?ups?|remaining(?: work)?|blocked by|blockers?|known (?:issues?|limitations?))\b[\s*_]{0,6}:[\s*_]*\S)/i;
const verdictLine =
  /^[\W_]{0,8}(?:status|verdict|gate(?: status)?|result|outcome|decision|conclusion|final answer|answer|resolution|recommend(?:ation|ed status)|root cause|exit ?code|quality score)\b[\s*_`]{0,6}:[\s*_`]*\S/i;
const verdictWord =
  /\b(?:PASS(?:ED)?|FAIL(?:ED)?|CONCERNS|BLOCKED|WAIVED|APPROVED|REJECTED|FINAL ANSWER|NO[ _](?:ISSUES|FINDINGS)(?:_FOUND)?)\b|\b\d+(?:\s?\/\s?\d+| of \d+)? (?:(?:\w+ )?(?:tests?|checks?|specs?|suites?|cases?) )?(?:passed|passing|failed|failing)\b|\ball (?:\d+ )?(?:\w+ )?tests pass/;
const errorLine =
  /^[\W_]{0,8}(?:[\w.]{0,80}(?:error|exception|warning)|fatal|panic|traceback|failed|failure)\b|\b(?:[A-Z]\w{0,60}(?:Error|Exception)|Segmentation fault|command not found|No such file|[Pp]ermission denied|not found)\b/i;
/** The exit status of a program, as shells report it. */
const exitLine =
  /^[\W_]{0,8}(?:process |the )?(?:command |program )?(?:(?:completed|finished|failed|exited) with )?(?:exit|return) ?_?(?:code|status)\b[\s:=]{1,3}-?\d{1,5}\s{0,3}(?:[^\w\s]|$)/i;
const changedFile = /^\+\+\+ \S/;
const item = /^(?:[-*+•]|\d{1,3}[.)])\s+\S/;
/** A code fence, or too few characters to mean anything alone. */
const scrap = /^```|^.{0,11}$|^[|\s:-]+$/;
const maxOfARank = 256;
/** The rank of a line depends on its beginning alone. */
const testedStart = 240;

function rankOf(line: ValueLine): LineRank {
  const { role = 'text', text } = line;
  switch (role) {
    case 'purpose':
      return rankOfPurpose(text);
    case 'body':
      return restOf('', text);
    case 'text':
      return rankOfText(line);
    case 'action':
    case 'outcome':
    case 'wrapper':
      return role;
  }
}

function rankOfPurpose(text: string): LineRank {
  if (isOutcome(text)) return 'outcome';
  return isHeading(startOf(text)) ? 'heading' : 'purpose';
}

function startOf(text: string): string {
  return text.slice(0, testedStart);
}

type Test = (line: ValueLine) => boolean;

/** The rank of a line is that of the first test that matches. */
const tests: readonly (readonly [rank: LineRank, test: Test])[] = [
  ['outcome', ({ text }) => isOutcome(text)],
  ['verdict', (line) => isNamed(line, verdictKey) || isVerdict(line.text)],
  ['open', (line) => isOpenMember(line) || openLine.test(startOf(line.text))],
  ['error', ({ text }) => errorLine.test(startOf(text))],
  ['field', (line) => isNamed(line, fieldKey)],
  ['heading', ({ text }) => isHeading(startOf(text))],
  ['item', ({ text }) => item.test(startOf(text)) || isRow(text)],
];

function rankOfText(line: ValueLine): LineRank {
  return tests.find(([, test]) => test(line))?.[0] ?? restOf(line.key, line.text);
}

/**
 * A line of code may look like a heading or an item. The most important line of a patch is that of the changed file.
 */
function rankOfCode(line: ValueLine): LineRank {
  if (changedFile.test(line.text)) return 'field';
  const rank = rankOf(line);
  return rank === 'heading' || rank === 'item' ? restOf(line.key, line.text) : rank;
}

/** Whether the member of a line, or a member in the line, has such a name. */
function isNamed({ key, cells = [] }: ValueLine, names: RegExp): boolean {
  return names.test(key) || cells.some((cell) => names.test(cell.key));
}

function isOpenMember({ key, text }: ValueLine): boolean {
  return openKey.test(key) && !notOpen.test(startOf(text));
}

function restOf(key: string, text: string): LineRank {
  return key === '' && scrap.test(text) ? 'scrap' : 'other';
}

function isOutcome(text: string): boolean {
  return exitLine.test(startOf(text));
}

/** Whether the text is a row of a table that is not empty. */
function isRow(text: string): boolean {
  return text.startsWith('|') && text.endsWith('|') && /\w/.test(startOf(text));
}

function isVerdict(text: string): boolean {
  const start = startOf(text);
  return verdictLine.test(start) || verdictWord.test(start);
}

/** The first lines of each rank, and the first and the last of all meaningful lines. */
export class LineRanks {
  private readonly ranked: Readonly<Record<LineRank, RankedLine[]>> = {
    action: [],
    outcome: [],
    purpose: [],
    verdict: [],
    open: [],
    error: [],
    field: [],
    heading: [],
    item: [],
    other: [],
    wrapper: [],
    scrap: [],
  };
  private readonly code = new CodeLines();
  private lines = 0;
  /** The heading that ranks the next line. */
  private heading: Heading | undefined;
  private latest: RankedLine | undefined;

  /** Returns the line as it is shown, with its rank. */
  add(line: ValueLine): RankedLine {
    const rank = this.#rankOf(line);
    const text = line.key ? `${line.key}: ${line.text}` : line.text;
    const ranked = { at: this.lines++, rank, text, bare: line.text };
    if (isMeaningful(rank) && line.role !== 'body') this.latest = ranked;
    const same = this.ranked[rank];
    if (same.length < maxOfARank) same.push(ranked);
    return ranked;
  }

  #rankOf(line: ValueLine): LineRank {
    const isCode = this.code.next(line);
    const own = isCode ? rankOfCode(line) : rankOf(line);
    const isBelow = line.key === '' && (line.role === undefined || line.role === 'text');
    const heading = isBelow ? this.heading : undefined;
    const start = startOf(line.text);
    this.heading = headingAfter(heading, { start, isCode });
    return heading && isRankedBelow(heading, own) && !isMark(start) ? heading.rank : own;
  }

  of(rank: LineRank): readonly RankedLine[] {
    return this.ranked[rank];
  }

  get first(): RankedLine | undefined {
    const firsts = lineRanks.flatMap((rank) =>
      isMeaningful(rank) ? this.ranked[rank].slice(0, 1) : [],
    );
    return firsts.sort((left, right) => left.at - right.at)[0];
  }

  /** The heading that a text begins with, or the title that is the first member of a value. */
  get title(): RankedLine | undefined {
    const { first } = this;
    if (first?.at !== 0) return undefined;
    return first.rank === 'heading' || titleMember.test(first.text) ? first : undefined;
  }

  get last(): RankedLine | undefined {
    return this.latest;
  }
}

/** Below a heading of open points, a line with a more specific rank has that rank. */
function isRankedBelow({ rank }: Heading, own: LineRank): boolean {
  return rank !== 'open' || ['item', 'other', 'field', 'scrap'].includes(own);
}

function isMeaningful(rank: LineRank): boolean {
  return rank !== 'scrap' && rank !== 'wrapper';
}
