import { type ContextDocument } from '../documents/context-document.js';
import { referencedIf } from '../markdown/character-reference.js';
import { printedBody } from './body-text.js';
import { oneLine, paragraphs, printJson } from './print-items.js';
import { changeLog } from './read-changes.js';
import { isReserved, sectionKind } from './section-kind.js';

type StoryRecord = ContextDocument['records'][number];
type Review = ContextDocument['reviewHistory'][number];

type FieldedSection = Readonly<{ heading: string; fields: Readonly<Record<string, string>> }>;

/** The heading of the section for each kind of record, and the headings of its fields. */
const sections: Readonly<Record<string, FieldedSection>> = {
  'dev-record': {
    heading: 'Dev Agent Record',
    fields: {
      summary: 'Implementation Summary',
      filesCreated: 'Files Created',
      filesModified: 'Files Modified',
      keyDecisions: 'Key Decisions',
      testsAdded: 'Tests Added',
      notesForReviewer: 'Notes for Reviewer',
    },
  },
  'kickoff-insights': {
    heading: 'Story Kickoff Insights',
    fields: {
      notes: 'Architectural Notes',
      strategy: 'Implementation Strategy',
      testing: 'Testing Approach',
      risks: 'Identified Risks',
    },
  },
  'review-record': {
    heading: 'Code Review Record',
    fields: {
      summary: 'Summary',
      findings: 'Findings',
      fixes: 'Fixes',
      verification: 'Verification',
      outcome: 'Outcome',
    },
  },
  retrospective: {
    heading: 'Retrospective',
    fields: {
      summary: 'Summary',
      successes: 'Successes',
      challenges: 'Challenges',
      insights: 'Insights',
      actionItems: 'Action Items',
      agreements: 'Agreements',
      technicalDebt: 'Technical Debt',
    },
  },
  uat: {
    heading: 'UAT',
    fields: { summary: 'Summary', scenarios: 'Scenarios', results: 'Results', outcome: 'Outcome' },
  },
};

export function isChange({ kind, title }: StoryRecord): boolean {
  return kind === 'custom' && title === changeLog;
}

/** A record as a section of level `##`; custom records have level `###` if `isBelow`. */
export function printRecord(record: StoryRecord, isBelow: boolean): string {
  const known = sections[record.kind];
  return known ? printFielded(record, known) : printCustom(record, isBelow);
}

function printCustom(record: StoryRecord, isBelow: boolean): string {
  const { title, recordId, body = '', fields = {} } = record;
  const printedFields = Object.entries(fields).map(([name, value]) => printJson(name, value));
  const heading = headingText(title ?? recordId, (line) => sectionKind(line) !== 'other');
  return paragraphs([`${isBelow ? '###' : '##'} ${heading}`, printedBody(body), ...printedFields]);
}

function printFielded(record: StoryRecord, { heading, fields: names }: FieldedSection): string {
  const { agentId, kind, body, fields = {} } = record;
  const printedFields = Object.entries(fields).flatMap(([name, value]) => [
    `### ${Object.hasOwn(names, name) ? names[name] : headingText(name, isReserved)}`,
    printProse(value),
  ]);
  return paragraphs([
    `## ${heading}`,
    ...(kind === 'dev-record' && agentId !== null
      ? ['### Agent Model Used', printedBody(oneLine(agentId))]
      : []),
    ...printedFields,
    ...(body === undefined ? [] : ['### Notes', printedBody(body)]),
  ]);
}

/** A text as a heading, escaped if it would be the heading of a section of the story. */
function headingText(text: string, isSection: (line: string) => boolean): string {
  const line = oneLine(text);
  return referencedIf(isSection(line), line);
}

function printProse(value: unknown): string {
  if (typeof value === 'string') return printedBody(value);
  if (Array.isArray(value)) return value.map((line) => `- ${oneLine(String(line))}`).join('\n');
  return JSON.stringify(value) ?? '';
}

/** A row of the table of the change log. */
export function printChange({ body = '', fields = {}, timestamp, agentId }: StoryRecord): string {
  const values = new Map(Object.entries(fields));
  const textAt = (name: string, usual: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value : usual;
  };
  const cells = [
    textAt('date', timestamp?.slice(0, 10) ?? ''),
    textAt('version', ''),
    body,
    textAt('author', agentId ?? ''),
  ];
  return `| ${cells.map((cell) => oneLine(cell).replaceAll('|', escapedBar)).join(' | ')} |\n`;
}

const escapedBar = String.raw`\|`;

export const changeLogHeader =
  '| Date | Version | Description | Author |\n| --- | --- | --- | --- |\n';

const gates: Readonly<Record<Review['status'], string>> = {
  APPROVED: 'PASS',
  APPROVED_WITH_FIXES: 'CONCERNS',
  REJECTED_WITH_FEEDBACK: 'FAIL',
  BLOCKED: 'BLOCKED',
};

/** A review as the subsections of `## QA Results`. */
export function printReview(review: Review): string {
  const { timestamp, reviewer, agentId, keyIssues, reason, reviewFile } = review;
  const gate = review.gate ?? gates[review.status];
  const file = reviewFile ? ` → ${oneLine(reviewFile)}` : '';
  const findings = keyIssues.length > 0 ? ['### Findings', printIssues(review)] : [];
  return paragraphs([
    `### Review Date: ${(timestamp ?? 'unknown').slice(0, 10)}`,
    `### Reviewed By: ${oneLine(reviewer ?? agentId ?? 'unknown')}`,
    ...findings,
    ...(reason ? ['### Status Reason', printedBody(reason)] : []),
    '### Gate Status',
    `Gate: ${gate}${file}`,
  ]);
}

/** The head of the table of the issues of a review. */
export const issuesHeader = '| ID | Severity | Finding |';

function printIssues({ keyIssues }: Review): string {
  const rows = keyIssues.map(({ issueId, severity, text }) => {
    const cells = [issueId, severity, text].map((cell) =>
      oneLine(cell).replaceAll('|', escapedBar),
    );
    return `| ${cells.join(' | ')} |`;
  });
  return [issuesHeader, '| --- | --- | --- |', ...rows].join('\n');
}
