/** The role of a section of a decision record. */
export type SectionRole =
  | 'status'
  | 'date'
  | 'deciders'
  | 'context'
  | 'drivers'
  | 'rationale'
  | 'options'
  | 'pros-and-cons'
  | 'decision'
  | 'consequences'
  | 'links';

/** Headings in the words of Nygard, MADR 2 to 4, log4brains, Tyree and Akerman, Merson, and of existing projects. */
const headings: Readonly<Record<SectionRole, readonly string[]>> = {
  status: ['status', 'state', 'decision status', 'adr status'],
  date: ['date', 'decision date', 'date of decision', 'decided on'],
  deciders: ['deciders', 'decision makers', 'author', 'authors', 'decided by', 'participants'],
  context: [
    'context',
    'context and problem statement',
    'context and problem',
    'problem statement',
    'problem',
    'the problem',
    'problem description',
    'issue',
    'background',
    'background info',
    'background knowledge',
    'introduction',
    'motivation',
    'description',
    'overview',
    'situation',
    'current situation',
    'user needs',
    'assumptions',
    'constraints',
    'scope',
    'requirements',
    'use case',
    'use cases',
    'scope and constraints',
    'out of scope',
    'question',
    'problem and context',
    'descriptions of the use cases',
    'context and scope',
  ],
  drivers: [
    'decision drivers',
    'drivers',
    'forces',
    'criteria',
    'decision criteria',
    'key drivers',
    'evaluation criteria',
    'factors in the decision',
    'quality attributes',
    'goals',
    'overall decision drivers',
    'decision drivers and principles',
    'factors',
    'non goals',
  ],
  rationale: [
    'rationale',
    'reasoning',
    'justification',
    'reason',
    'reasons',
    'argument',
    'arguments',
    'reason for rejection',
    'rationale for the decision',
    'decision rationale',
    'why',
  ],
  options: [
    'options',
    'considered options',
    'options considered',
    'alternatives',
    'positions',
    'alternatives considered',
    'considered alternatives',
    'rejected alternatives',
    'considered implementation options',
    'other options',
    'other options considered',
    'rejected options',
    'alternative options',
    'alternative options considered',
    'description the options',
    'possible options',
    'options evaluated',
    'proposed options',
    'considered root structure options',
    'possible solutions',
    'alternative solutions',
  ],
  'pros-and-cons': [
    'pros and cons of the options',
    'pros and cons',
    'pros and cons of options',
    'analysis of the options',
    'analysis of options',
    'options analysis',
    'option analysis',
    'evaluation of the options',
    'evaluation of options',
    'comparison of options',
    'pros and cons of alternatives',
    'pros and cons of the alternatives',
  ],
  decision: [
    'decision',
    'decisions',
    'decision outcome',
    'outcome',
    'the decision',
    'our decision',
    'proposed decision',
    'decision made',
    'decision statement',
    'chosen option',
    'resolution',
    'solution',
    'proposed solution',
    'proposal',
    'what s proposed',
    // prose-ignore: a heading of documents that are imported
    'what is proposed',
    'the existing decision',
    'conclusion',
    'y statement',
    'selected option',
    'final decision',
  ],
  consequences: [
    'consequences',
    'positive consequences',
    'negative consequences',
    'implications',
    'neutral consequences',
    'consequences of the decision',
    'trade offs',
    'tradeoffs',
    'impact',
    'impacts',
    'effects',
    'results',
    'risks',
    'benefits',
    'drawbacks',
    'caveats',
    'pros',
    'cons',
    'downstream impact',
    'considerations and limitations',
    'limitations',
    'advantages',
    'disadvantages',
    'consequence',
    'expected consequences',
  ],
  links: [
    'links',
    'related decisions',
    'related decision records',
    'related adrs',
    'related',
    'see also',
    'more information',
    'references',
    'related records',
    'relations',
  ],
};

const roles: ReadonlyMap<string, SectionRole> = new Map(
  Object.entries(headings).flatMap(([role, names]) =>
    // The keys of the table are the roles.
    names.map((name) => [name, role as SectionRole] as const),
  ),
);

/** Longer headings are sentences, which have no role. */
const longestHeading = 200;

/**
 * The role of a section by its heading, regardless of case, punctuation, numbering and emoji; undefined if it has none.
 */
export function roleOfHeading(title: string): SectionRole | undefined {
  if (title.length > longestHeading) return undefined;
  return roles.get(plain(title)) ?? roles.get(plain(firstPart(title)));
}

/** The first part of a heading determines its role: `Decision Outcome - programming model`, `Status: current`. */
function firstPart(title: string): string {
  return title.split(/ [-–—] |[:(–—]/, 1)[0] ?? '';
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:appendix )?(?:\d{1,3} )+/, '')
    .replaceAll('&', 'and');
}
