import { type ValueLine } from './value-lines.js';

/** What a line is to somebody who has no time for the rest, the most telling first. */
export const lineRanks = [
  'verdict',
  'error',
  'field',
  'heading',
  'item',
  'other',
  'scrap',
] as const;

export type LineRank = (typeof lineRanks)[number];

/** A line with its place among all; `key` stands before it where the text lies in a member. */
export type RankedLine = Readonly<{ at: number; rank: LineRank; text: string }>;

const verdictKey =
  /^(?:status|verdict|gate|result|outcome|decision|conclusion|resolution|recommendation|passed|approved|is_?correct|success|quality_?score|score|severity|root_?cause|exit_?code|state)$/i;
const fieldKey =
  /^(?:title|name|summary|description|reason|status_?reason|message|question|answer|goal|task|objective|thought|chosen|reasoning|finding|problem|solution|subject|content|type|action|next|notes?)$/i;
const verdictLine =
  /^[\W_]{0,8}(?:status|verdict|gate(?: status)?|result|outcome|decision|conclusion|final answer|answer|resolution|recommend(?:ation|ed status)|root cause|exit ?code|quality score)\b[\s*_`]{0,6}:[\s*_`]*\S/i;
const verdictWord =
  /\b(?:PASS(?:ED)?|FAIL(?:ED)?|CONCERNS|BLOCKED|WAIVED|APPROVED|REJECTED|FINAL ANSWER)\b|\b\d+ (?:tests? )?(?:passed|failed)\b/;
const errorLine =
  /^[\W_]{0,8}(?:[\w.]{0,80}(?:error|exception|warning)|fatal|panic|traceback|failed|failure)\b|\b(?:[A-Z]\w{0,60}(?:Error|Exception)|Segmentation fault|command not found|No such file|[Pp]ermission denied|not found)\b/i;
const heading = /^(?:#{1,6}\s+\S|\*\*[^*]{1,80}\*\*:?$|={2,}\s+\S[^=]{0,80}=+$)/;
/** What was found stands in the line below. */
const verdictHeading =
  /^#{1,6}\s+(?:\d+[.)]\s*)?(?:status|decision(?: outcome)?|verdict|outcome|conclusion|gate status|recommended status|final answer)\W*$/i;
const item = /^(?:[-*+•]|\d{1,3}[.)])\s+\S/;
/** The edge of a block of code, or too little to tell anything alone. */
const scrap = /^```|^.{0,11}$/;
const mostOfARank = 256;
/** What a line is shows at its beginning. */
const testedStart = 240;

export function rankOf({ key, text }: ValueLine): LineRank {
  if (verdictKey.test(key) || isVerdict(text)) return 'verdict';
  if (errorLine.test(text.slice(0, testedStart))) return 'error';
  if (fieldKey.test(key)) return 'field';
  if (heading.test(text)) return 'heading';
  return item.test(text) ? 'item' : restOf(key, text);
}

function restOf(key: string, text: string): LineRank {
  return key === '' && scrap.test(text) ? 'scrap' : 'other';
}

function isVerdict(text: string): boolean {
  const start = text.slice(0, testedStart);
  return verdictLine.test(start) || verdictWord.test(start);
}

/** The first lines of each rank, and of all lines that tell something the first and the last. */
export class LineRanks {
  private readonly ranked: Record<LineRank, RankedLine[]> = {
    verdict: [],
    error: [],
    field: [],
    heading: [],
    item: [],
    other: [],
    scrap: [],
  };
  private lines = 0;
  private underVerdict = false;
  private latest: RankedLine | undefined;

  /** Returns the line as it is shown. */
  add(line: ValueLine): string {
    const rank = this.underVerdict ? 'verdict' : rankOf(line);
    this.underVerdict = verdictHeading.test(line.text);
    const text = line.key ? `${line.key}: ${line.text}` : line.text;
    const ranked = { at: this.lines++, rank, text };
    if (rank !== 'scrap') this.latest = ranked;
    const same = this.ranked[rank];
    if (same.length < mostOfARank) same.push(ranked);
    return text;
  }

  of(rank: LineRank): readonly RankedLine[] {
    return this.ranked[rank];
  }

  get first(): RankedLine | undefined {
    const firsts = lineRanks.flatMap((rank) =>
      rank === 'scrap' ? [] : this.ranked[rank].slice(0, 1),
    );
    return firsts.sort((left, right) => left.at - right.at)[0];
  }

  get last(): RankedLine | undefined {
    return this.latest;
  }
}
