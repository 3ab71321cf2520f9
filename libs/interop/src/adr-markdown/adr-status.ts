/** The status of a decision in its record. `superseded`: another decision has replaced it. */
export type AdrStatus = 'accepted' | 'proposed' | 'rejected' | 'deprecated' | 'superseded';

/** `word`: the location of the word for the status in the text; undefined if there is none. */
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

/** Longer words first, because `not accepted` contains `accepted`. */
const anyWord = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...statuses.keys()]
    .toSorted((left, right) => right.length - left.length)
    .join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);

const maxScanned = 500;

/**
 * The status in a line: its first word for a status, also after emoji. A text without such a word counts as
 * proposed, because it may not be in force.
 */
export function statedStatus(line: string): StatedStatus {
  const found = [...line.slice(0, maxScanned).matchAll(anyWord)].map((match) => ({
    status: statuses.get(match[0].toLowerCase()) ?? 'proposed',
    word: { at: match.index, length: match[0].length },
  }));
  const [first] = found;
  return first ?? { status: 'proposed' };
}
