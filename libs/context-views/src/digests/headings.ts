const heading = /^(?:#{1,6}\s+\S|\*\*[^*]{1,80}\*\*:?$|={2,}\s+\S[^=]{0,80}=+$)/;
const verdictHeading =
  /^#{1,6}\s+(?:\d+[.)]\s*)?(?:status|verdict|outcome|conclusion|gate status|recommended status|final answer)\W*$/i;
const decisionHeading = /^#{1,6}\s+(?:\d+[.)]\s*)?(?:the )?decision(?: outcome)?\W*$/i;
const openHeading =
  /^(?:#{1,6}\s+|\*\*)(?:\d+[.)]\s*)?(?:open (?:questions?|points?|issues?|items?)|next(?: steps?)?|to-?dos?|follow-?ups?|remaining(?: (?:work|tasks))?|blockers?|concerns|(?:\w+ )?findings|(?:top |known )?issues(?: found)?|known limitations)\W*$/i;
const errorHeading = /^[\W_]{0,8}(?:errors?|fatal|failed|failures?|exception)\W{1,8}$/i;
/** A code fence, or the line below the head of a table. */
const mark = /^(?:```|~~~)|^[|\s:-]+$/;
/** How many lines below a heading of open points are open points. */
const maxOpen = 4;

type RankBelow = 'error' | 'open' | 'outcome' | 'verdict';

/** The rank of the next `lines` lines. */
export type Heading = Readonly<{ rank: RankBelow; lines: number }>;

/** All functions take the beginning of a line. */
export function isHeading(start: string): boolean {
  return heading.test(start);
}

export function isMark(start: string): boolean {
  return mark.test(start);
}

/** The heading that ranks the next line; `above` ranks this line. No line in a block of code is a heading. */
export function headingAfter(
  above: Heading | undefined,
  { start, isCode }: Readonly<{ start: string; isCode: boolean }>,
): Heading | undefined {
  const found = isCode ? undefined : headingIn(start);
  if (found) return found;
  if (!above || isMark(start)) return above;
  const isLast = above.lines === 1 || (!isCode && isHeading(start));
  return isLast ? undefined : { ...above, lines: above.lines - 1 };
}

/** Decisions, findings, errors and open points are below their headings. */
function headingIn(start: string): Heading | undefined {
  if (errorHeading.test(start)) return { rank: 'error', lines: 1 };
  if (decisionHeading.test(start)) return { rank: 'outcome', lines: 1 };
  if (openHeading.test(start)) return { rank: 'open', lines: maxOpen };
  return verdictHeading.test(start) ? { rank: 'verdict', lines: 1 } : undefined;
}
