/** Where a decision stands by its record. `superseded`: another one has replaced it. */
export type AdrStatus = 'accepted' | 'proposed' | 'rejected' | 'deprecated' | 'superseded';

/** `word` is where the status is named, in the text; undefined if no word of a status is in it. */
type StatedStatus = Readonly<{
  status: AdrStatus;
  word?: Readonly<{ at: number; length: number }> | undefined;
}>;

const words: Readonly<Record<AdrStatus, readonly string[]>> = {
  superseded: ['superseded', 'superceded', 'superseeded', 'replaced', 'obsoleted'],
  rejected: [
    'rejected',
    'declined',
    'withdrawn',
    'abandoned',
    'denied',
    'not accepted',
    'cancelled',
    'canceled',
    'discarded',
    'refused',
    "won't do",
    'wontfix',
  ],
  deprecated: ['deprecated', 'obsolete', 'retired', 'expired', 'outdated', 'archived', 'inactive'],
  proposed: [
    'proposed',
    'proposal',
    'draft',
    'pending',
    'in progress',
    'in-progress',
    'on hold',
    'incomplete',
    'placeholder',
    'open',
    'under review',
    'in review',
    'in discussion',
    'wip',
    'work in progress',
    'rfc',
    'request for comments',
    'todo',
    'tbd',
    'undecided',
    'deferred',
    'under discussion',
    'not yet accepted',
    'new',
    'unaccepted',
    'postponed',
  ],
  accepted: [
    'accepted',
    'approved',
    'adopted',
    'decided',
    'implemented',
    'agreed',
    'active',
    'done',
    'in force',
    'final',
    'finalized',
    'ratified',
    'committed',
    'current',
    'complete',
    'live',
    'completed',
    'valid',
    'resolved',
    'accept',
    'confirmed',
    'published',
  ],
};

const statuses: ReadonlyMap<string, AdrStatus> = new Map(
  Object.entries(words).flatMap(([status, all]) =>
    // The keys of the table are the statuses.
    all.map((word) => [word, status as AdrStatus] as const),
  ),
);

/** Longer ones first: `not accepted` is no `accepted`. */
const anyWord = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...statuses.keys()]
    .toSorted((left, right) => right.length - left.length)
    .join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);

const maxRead = 500;

/**
 * The status that a line states: its first word that is one, whatever emoji stand before it. One that says in addition that the
 * record was replaced is superseded. A text without such a word counts as proposed: nobody can tell whether it is in force.
 */
export function statedStatus(line: string): StatedStatus {
  const found = [...line.slice(0, maxRead).matchAll(anyWord)].map((match) => ({
    status: statuses.get(match[0].toLowerCase()) ?? 'proposed',
    word: { at: match.index, length: match[0].length },
  }));
  const [first] = found;
  return first ?? { status: 'proposed' };
}
