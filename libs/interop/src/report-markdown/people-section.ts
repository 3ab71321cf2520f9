import { type ContextDocument } from '../documents/context-document.js';
import { section } from './report-lines.js';
import { inline } from './safe-markdown.js';

/** The work of a person or agent: counts, and the times of the first and the last entry. */
type Contribution = {
  counts: Map<string, number>;
  first: string | undefined;
  last: string | undefined;
};

type Entry = Readonly<{ agentId: string | null; timestamp: string | null }>;

/** All authors of entries, in the order of their first entry. */
export function peopleSection(document: ContextDocument): string[] {
  const everybody = new Map<string, Contribution>();
  for (const [what, entries] of statedBy(document))
    for (const { agentId, timestamp } of entries)
      if (agentId !== null) add(everybody, agentId, { what, timestamp });
  for (const agentId of Object.keys(document.agents)) workOf(everybody, agentId);
  const lines = [...everybody]
    .toSorted(([left, { first: a = '~' }], [right, { first: b = '~' }]) =>
      a === b ? order(left, right) : order(a, b),
    )
    .map(([agentId, work]) => `- ${inline(agentId, 100)}: ${described(work)}`);
  // prose-ignore: text of exported documents
  return section('## Who did it', lines.length === 0 ? ['Nobody is named.'] : lines);
}

function statedBy(document: ContextDocument): readonly (readonly [string, readonly Entry[]])[] {
  const { completedPhases, dependencies } = document;
  const phases = completedPhases.map(({ agent, completedAt }) => ({
    agentId: agent,
    timestamp: completedAt,
  }));
  return [
    ['tasks', document.tasks],
    ['phases', phases],
    ['decisions', document.decisionHistory],
    ['artifacts', document.artifactReferences],
    ['reviews', document.reviewHistory],
    ['handovers', document.handoverNotes],
    ['records', document.records],
    ['requirements', document.requirements],
    ['risks', document.risks],
    ['blockers', dependencies.blockers],
    ['signals', document.signals],
  ];
}

function add(
  everybody: Map<string, Contribution>,
  agentId: string,
  { what, timestamp }: Readonly<{ what: string; timestamp: string | null }>,
): void {
  const work = workOf(everybody, agentId);
  work.counts.set(what, (work.counts.get(what) ?? 0) + 1);
  if (timestamp === null) return;
  if (work.first === undefined || timestamp < work.first) work.first = timestamp;
  if (work.last === undefined || timestamp > work.last) work.last = timestamp;
}

function workOf(everybody: Map<string, Contribution>, agentId: string): Contribution {
  const work = everybody.get(agentId) ?? { counts: new Map(), first: undefined, last: undefined };
  everybody.set(agentId, work);
  return work;
}

function described({ counts, first, last }: Contribution): string {
  const all = [...counts].map(([what, count]) => `${what}: ${count}`).join(', ');
  if (first === undefined || last === undefined) return all === '' ? 'takes part' : all;
  const times =
    first === last ? `at ${inline(first, 40)}` : `${inline(first, 40)} to ${inline(last, 40)}`;
  return `${all} (${times})`;
}

function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
