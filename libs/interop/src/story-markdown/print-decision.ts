import { type ContextDocument } from '../documents/context-document.js';
import { referencedIf } from '../markdown/character-reference.js';
import { decisionName, escapedLabels } from './decision-fields.js';
import { labelledText, oneLine, paragraphs, printJson } from './print-items.js';

type Decision = ContextDocument['decisionHistory'][number];

/** A decision below a heading with its id; text that the heading cannot contain is below the heading. */
export function printDecision(one: Decision): string {
  const { decisionId, alternativesConsidered: all } = one;
  const decision = one.decision.trim();
  const first = oneLine(decision.split('\n', 1)[0] ?? '');
  const isWhole = first === decision && !first.endsWith('#');
  const title = isWhole ? first : beginningOf(first);
  const isReadable = decisionName.test(decisionId);
  const heading = isReadable ? `${decisionId}: ${title}` : referencedIf(title.includes(':'), title);
  return paragraphs([
    `### ${heading}`,
    isWhole ? '' : labelledText('**Decision:**', escapedLabels(decision)),
    factLines(one),
    rationaleText(one),
    printJson('Alternatives considered', typeof all === 'string' ? escapedLabels(all) : all),
  ]);
}

function factLines({ topic, status, date, supersedes }: Decision): string {
  return [
    ['Topic', topic],
    ['Status', status === 'live' ? undefined : status],
    ['Date', date],
    ['Supersedes', supersedes],
  ]
    .flatMap(([name, said]) => (said === undefined ? [] : [`**${name}:** ${oneLine(said)}`]))
    .join('\n');
}

function rationaleText({ rationale = '' }: Decision): string {
  const said = rationale.trim();
  return said === '' ? '' : labelledText('**Rationale:**', escapedLabels(said));
}

/** The beginning of a longer decision for its heading, which would lose number signs at its end. */
function beginningOf(line: string): string {
  const words = line.slice(0, 200).toWellFormed();
  return words.replace(/[\s#]+$/, '') || 'Decision';
}
