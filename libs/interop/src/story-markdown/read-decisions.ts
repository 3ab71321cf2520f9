import { itemRef } from '../documents/item-ref.js';
import { alternativesIn, decisionFields } from './decision-fields.js';
import { bodyOf } from './prose.js';
import { readOther, readRest } from './read-other.js';
import { type Section, lineOf, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';
import { matchedGroups } from '../text/matched-groups.js';

const form = /^([\p{L}\p{N}][\w.-]{0,127}):[ \t]+(\S.*)$/u;

/** Reads `## Decisions` in the format of exports: each decision below a heading with its id and its text. */
export function readDecisions(sections: readonly Section[], reading: StoryReading): void {
  const [first, ...below] = sections;
  if (!first) return;
  reading.add(textOf(first.heading), [storyItem]);
  readRest(first, reading, { name: 'decisions-notes', form: 'decision' });
  const known = new Set<string>();
  for (const section of below)
    if (!readDecision(section, reading, known)) readOther(section, reading, 'decisions');
}

function readDecision(section: Section, reading: StoryReading, known: Set<string>): boolean {
  const [, id, decision] = matchedGroups(form, section.title);
  if (id === '' || known.has(id)) return false;
  const decisionId = reading.names.take('decision', id);
  const item = itemRef('decision', decisionId);
  const line = lineOf(section);
  const labels = decisionFields(bodyOf(textOf(section.body)));
  const data = {
    decisionId,
    decision: labels.get('Decision') ?? decision,
    ...optionalMembers(labels, known),
  };
  const isStated = reading.state(item, { type: 'DecisionRecorded', data, line });
  if (isStated) known.add(decisionId);
  reading.add(textOf(section.heading) + textOf(section.body), isStated ? [item] : []);
  return true;
}

type Fields = ReadonlyMap<string, string>;

function optionalMembers(labels: Fields, known: ReadonlySet<string>): Record<string, unknown> {
  const supersedes = labels.get('Supersedes');
  return {
    topic: labels.get('Topic'),
    rationale: labels.get('Rationale'),
    date: labels.get('Date'),
    alternativesConsidered: alternativesIn(labels.get('Alternatives considered')),
    supersedes: supersedes !== undefined && known.has(supersedes) ? supersedes : undefined,
    ...statuses[labels.get('Status') ?? ''],
  };
}

const statuses: Readonly<Record<string, object>> = {
  rejected: { rejected: true },
  deprecated: { deprecated: true },
  pending: { requiresApproval: true },
};
