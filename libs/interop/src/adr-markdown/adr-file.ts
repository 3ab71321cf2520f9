import { type ContextDocument } from '../documents/context-document.js';
import { type NamedText } from '../documents/document-format.js';
import { type AdrFiles } from './adr-files.js';
import { idOfName, readFileName, statedId } from './adr-names.js';
import { deciderKeys } from './adr-metadata.js';
import { detailsOf, titleOf } from './adr-title.js';
import { alternativesText, tradeOffsText } from './alternatives-text.js';
import { headingText, section, sectionText } from './markdown-text.js';
import { printSection, sectionsOf } from './decision-records.js';
import { statusPhrase } from './rewrite-status.js';
import { type Decision } from './written-decision.js';

const plainScalar = /^[\p{L}\p{N}][\p{L}\p{N} ._/@+-]*$/u;

/** A decision as a file in the format of MADR 4. */
export function adrFile(decision: Decision, document: ContextDocument, files: AdrFiles): NamedText {
  const name = files.pathOf(decision.decisionId);
  const title = titleOf(decision, document);
  const sections = [
    `# ${headingText(title)}`,
    section('## Context and Problem Statement', sectionText(decision.rationale ?? '')),
    ...alternativesText(decision.alternativesConsidered),
    section('## Decision Outcome', sectionText(decision.decision)),
    section('### Consequences', tradeOffsText(decision.tradeOffs)),
    section('## More Information', linksText(decision, name, files)),
    ...sectionsOf(decision, document).map((record) =>
      printSection(record, { decision, document, marks: '##' }),
    ),
  ];
  const front = frontMatter(decision, document, files);
  return { name, text: [front, ...sections].filter((each) => each !== '').join('\n\n') + '\n' };
}

function frontMatter(decision: Decision, document: ContextDocument, files: AdrFiles): string {
  const { decisionId, agentId, date, timestamp } = decision;
  const path = files.pathOf(decisionId);
  const details = Object.entries(detailsOf(decision, document)).filter(([key]) => !isOwn(key));
  const hasDeciders = details.some(([key]) => deciderKeys.has(key.replaceAll(/[_-]/g, ' ')));
  const isNamed = idOfName(readFileName(path), titleOf(decision, document)) === decisionId;
  const entries: readonly (readonly [string, unknown])[] = [
    ['id', isNamed ? undefined : statedId(decisionId)],
    ['status', statusPhrase(decision, path, files)],
    ['date', date ?? timestamp?.slice(0, 10)],
    ['decision-makers', hasDeciders ? undefined : agentId],
    ...details,
  ];
  return ['---', ...entries.flatMap(([key, value]) => entryLine(key, value)), '---'].join('\n');
}

/** Whether another entry of the front matter has this member. */
function isOwn(key: string): boolean {
  return ['title', 'status', 'date', 'id', ''].includes(memberName(key).toLowerCase());
}

function entryLine(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return [`${memberName(key)}: ${value.map(scalar).join(', ')}`];
  if (typeof value !== 'string' || value === '') return [];
  return [`${memberName(key)}: ${key === 'status' ? value : scalar(value)}`];
}

/** A key on one line, as front matter allows it. */
function memberName(key: string): string {
  return key.replaceAll(/[^\p{L}\p{N}_.-]+/gu, ' ').trim();
}

function scalar(value: unknown): string {
  const text = String(value).replaceAll(/\s+/g, ' ').trim();
  return plainScalar.test(text) ? text : `"${text.replaceAll('"', "'")}"`;
}

const relations: ReadonlyMap<string, string> = new Map([
  ['requires', 'Requires'],
  ['enables', 'Enables'],
]);

function linksText(decision: Decision, name: string, files: AdrFiles): string {
  const { supersedes, relatedDecisions = [] } = decision;
  return [
    ...(supersedes === undefined ? [] : [`* Supersedes ${files.link(name, supersedes)}`]),
    ...relatedDecisions.map(
      ({ decisionId, relation }) =>
        `* ${relations.get(relation) ?? 'Relates to'} ${files.link(name, decisionId)}`,
    ),
  ].join('\n');
}
