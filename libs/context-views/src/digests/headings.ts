const heading = /^(?:#{1,6}\s+\S|\*\*[^*]{1,80}\*\*:?$|={2,}\s+\S[^=]{0,80}=+$)/;
const verdictHeading =
  /^#{1,6}\s+(?:\d+[.)]\s*)?(?:status|verdict|outcome|conclusion|gate status|recommended status|final answer)\W*$/i;
const decisionHeading = /^#{1,6}\s+(?:\d+[.)]\s*)?(?:the )?decision(?: outcome)?\W*$/i;
const openHeading =
  /^(?:#{1,6}\s+|\*\*)(?:\d+[.)]\s*)?(?:open (?:questions?|points?|issues?|items?)|next(?: steps?)?|to-?dos?|follow-?ups?|remaining(?: (?:work|tasks))?|blockers?|concerns|(?:\w+ )?findings|(?:top |known )?issues(?: found)?|known limitations)\W*$/i;
const errorHeading = /^[\W_]{0,8}(?:errors?|fatal|failed|failures?|exception)\W{1,8}$/i;
/** How many lines below a heading are what it names. */
const mostOpen = 3;

type RankBelow = 'error' | 'open' | 'outcome' | 'verdict';

/** What so many lines below a heading are. */
export type Heading = Readonly<{ rank: RankBelow; lines: number }>;

/** All take the beginning of a line. */
export function isHeading(start: string): boolean {
  return heading.test(start);
}

/** The rank that a heading gives to a line below it; another heading has its own. */
export function rankBelow(above: Heading | undefined, start: string): RankBelow | undefined {
  return above?.rank === 'open' && isHeading(start) ? undefined : above?.rank;
}

/** The heading that the next line is below. */
export function headingBehind(above: Heading | undefined, start: string): Heading | undefined {
  const found = headingIn(start);
  if (found || !above || above.lines === 1 || isHeading(start)) return found;
  return { ...above, lines: above.lines - 1 };
}

/** What was decided, found, failed or is left stands below its heading. */
function headingIn(start: string): Heading | undefined {
  if (errorHeading.test(start)) return { rank: 'error', lines: 1 };
  if (decisionHeading.test(start)) return { rank: 'outcome', lines: 1 };
  if (openHeading.test(start)) return { rank: 'open', lines: mostOpen };
  return verdictHeading.test(start) ? { rank: 'verdict', lines: 1 } : undefined;
}
