import { itemRef } from '../documents/item-ref.js';
import { bodyOf } from './prose.js';
import { readOther, readRest } from './read-other.js';
import { type Section, lineOf, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';
import { matchedGroups } from '../text/matched-groups.js';

const form = /^([\p{L}\p{N}][\w.-]{0,63}):[ \t]+(\S.*)$/u;
const field = /^\*\*(Topic|Status|Date|Supersedes|Rationale):\*\*[ \t]*(.*)$/;

/** `## Decisions`, each below a heading with its id and what was decided: the form that exports write. */
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
  const said = fieldsIn(bodyOf(textOf(section.body)));
  const data = { decisionId, decision, ...stated(said, known) };
  const isStated = reading.state(item, { type: 'DecisionRecorded', data, line });
  if (isStated) known.add(decisionId);
  reading.add(textOf(section.heading) + textOf(section.body), isStated ? [item] : []);
  return true;
}

type Fields = ReadonlyMap<string, string>;

function stated(said: Fields, known: ReadonlySet<string>): Record<string, unknown> {
  const supersedes = said.get('Supersedes');
  return {
    topic: said.get('Topic'),
    rationale: said.get('Rationale'),
    date: said.get('Date'),
    supersedes: supersedes !== undefined && known.has(supersedes) ? supersedes : undefined,
    ...statuses[said.get('Status') ?? ''],
  };
}

const statuses: Readonly<Record<string, object>> = {
  rejected: { rejected: true },
  deprecated: { deprecated: true },
  pending: { requiresApproval: true },
};

/** Labelled lines by their label; the rationale is everything else. */
function fieldsIn(body: string): Fields {
  const rest: string[] = [];
  const said = new Map<string, string>();
  for (const line of body.split('\n')) {
    const [, name, value] = matchedGroups(field, line.length < 10_000 ? line : '');
    if (name === '' || said.has(name)) rest.push(line);
    else if (name === 'Rationale') rest.push(value);
    else said.set(name, value);
  }
  const rationale = bodyOf(rest.join('\n'));
  return rationale === '' ? said : said.set('Rationale', rationale);
}
