import { itemRef } from '../documents/item-ref.js';
import { bodyOf } from './prose.js';
import { readNotes, readOther } from './read-other.js';
import { type Section, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

const form = /^([\p{L}\p{N}][\w.-]{0,63}):[ \t]+(\S.*)$/u;
const field = /^\*\*(Topic|Status|Date|Supersedes|Rationale):\*\*[ \t]*(.*)$/;

/** `## Decisions`, each below a heading with its id and what was decided: the form that exports write. */
export function readDecisions(sections: readonly Section[], reading: StoryReading): void {
  const [first, ...below] = sections;
  if (!first) return;
  reading.add(textOf(first.heading), [storyItem]);
  readNotes({ ...first, heading: [] }, reading, 'decisions-notes');
  const known = new Set<string>();
  for (const section of below)
    if (!readDecision(section, reading, known)) readOther(section, reading, 'decisions');
}

function readDecision(section: Section, reading: StoryReading, known: Set<string>): boolean {
  const [, id, decision] = form.exec(section.title) ?? [];
  if (id === undefined || known.has(id) || decision === undefined) return false;
  const decisionId = reading.names.take('decision', id);
  const item = itemRef('decision', decisionId);
  const line = section.heading[0]?.number ?? 1;
  const data = { decisionId, decision, ...fieldsIn(bodyOf(textOf(section.body)), known) };
  const isStated = reading.state(item, { type: 'DecisionRecorded', data, line });
  if (isStated) known.add(decisionId);
  reading.add(textOf(section.heading) + textOf(section.body), isStated ? [item] : []);
  return true;
}

function fieldsIn(body: string, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: string[] = [];
  const said = new Map<string, string>();
  for (const line of body.split('\n')) {
    const [, name, value = ''] = field.exec(line.slice(0, 10_000)) ?? [];
    if (name === undefined || said.has(name)) rest.push(line);
    else if (name === 'Rationale') {
      said.set(name, value);
      rest.push(value + line.slice(10_000));
    } else said.set(name, value);
  }
  const rationale = bodyOf(rest.join('\n'));
  const status = said.get('Status');
  const supersedes = said.get('Supersedes');
  return {
    ...(said.has('Topic') ? { topic: said.get('Topic') } : {}),
    ...(rationale === '' ? {} : { rationale }),
    ...(said.has('Date') ? { date: said.get('Date') } : {}),
    ...(supersedes !== undefined && known.has(supersedes) ? { supersedes } : {}),
    ...(status === 'rejected' ? { rejected: true } : {}),
    ...(status === 'deprecated' ? { deprecated: true } : {}),
    ...(status === 'pending' ? { requiresApproval: true } : {}),
  };
}
