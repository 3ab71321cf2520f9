import { type ContextDocument } from '../documents/context-document.js';
import { byWhom, labelled, named, section, trimmed } from './report-lines.js';
import { inline, inlineValue } from './safe-markdown.js';

type Decision = ContextDocument['decisionHistory'][number];

const titles: readonly (readonly [status: Decision['status'], title: string])[] = [
  ['live', '### In force'],
  ['pending', '### Waiting for approval'],
  ['superseded', '### Replaced by later ones'],
  ['deprecated', '### No longer recommended'],
  ['rejected', '### Rejected'],
];

/** Decisions by status, with their reasons. */
export function decidedSection({ decisionHistory }: ContextDocument): string[] {
  const parts = titles.flatMap(([status, title]) =>
    section(title, decisionHistory.filter((one) => one.status === status).flatMap(decisionLines)),
  );
  // prose-ignore: text of exported documents
  return section('## What was decided', parts.length === 0 ? ['Nothing.'] : trimmed(parts));
}

export function decisionLine(decision: Decision): string {
  const { decisionId, topic, decision: text, date } = decision;
  const about = topic === undefined ? '' : ` on ${inline(topic, 100)}`;
  const day = date === undefined ? '' : `, dated ${inline(date, 40)}`;
  return `- ${named([decisionId])}${about}: ${inline(text)}${day}${byWhom(decision)}`;
}

function decisionLines(decision: Decision): string[] {
  const { rationale, alternativesConsidered, tradeOffs, supersededBy } = decision;
  const details = [
    labelled('Why', rationale),
    labelledValue('Alternatives', alternativesConsidered),
    labelledValue('Trade-offs', tradeOffs),
    labelled('Replaced by', supersededBy),
  ];
  return [decisionLine(decision), ...details.filter(Boolean).map((line) => `  -${line}`)];
}

function labelledValue(label: string, value: unknown): string {
  const isEmpty = value === undefined || value === null || JSON.stringify(value) === '[]';
  return isEmpty ? '' : ` ${label}: ${inlineValue(value)}`;
}
