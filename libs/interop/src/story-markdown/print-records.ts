import { type ContextDocument } from '../documents/context-document.js';
import { oneLine, paragraphs, printJson } from './print-items.js';
import { changeLog } from './read-changes.js';

type StoryRecord = ContextDocument['records'][number];
type Review = ContextDocument['reviewHistory'][number];

/** The heading of the section that a record of this kind is, and of its fields. */
const sections: Readonly<{
  [kind: string]: Readonly<{ heading: string; fields: { [name: string]: string } }>;
}> = {
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

/** A record as a section of the level `##`, or `###` for custom ones if `isBelow`. */
export function printRecord(record: StoryRecord, isBelow: boolean): string {
  const known = sections[record.kind];
  const title = oneLine(record.title ?? known?.heading ?? record.recordId);
  if (!known) {
    const fields = Object.entries(record.fields ?? {}).map(([name, value]) =>
      printJson(name, value),
    );
    return paragraphs([`${isBelow ? '###' : '##'} ${title}`, record.body ?? '', ...fields]);
  }
  const { agentId, kind, fields = {} } = record;
  const worker = kind === 'dev-record' && agentId !== null;
  return paragraphs([
    `## ${known.heading}`,
    ...(worker ? ['### Agent Model Used', oneLine(agentId)] : []),
    ...Object.entries(fields).flatMap(([name, value]) => [
      `### ${known.fields[name] ?? name}`,
      printProse(value),
    ]),
    ...(record.body === undefined ? [] : [`### Notes`, record.body]),
  ]);
}

function printProse(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((line) => `- ${oneLine(String(line))}`).join('\n');
  return JSON.stringify(value) ?? '';
}

/** A row of the change log as a table has it. */
export function printChange({ body = '', fields = {}, timestamp, agentId }: StoryRecord): string {
  const said = new Map(Object.entries(fields));
  const textAt = (name: string, usual: string): string => {
    const value = said.get(name);
    return typeof value === 'string' ? value : usual;
  };
  const cells = [
    textAt('date', timestamp?.slice(0, 10) ?? ''),
    textAt('version', ''),
    body,
    textAt('author', agentId ?? ''),
  ];
  return `| ${cells.map((cell) => oneLine(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |\n`;
}

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
  const file = reviewFile === undefined ? '' : ` → ${oneLine(reviewFile)}`;
  const issues = keyIssues.map(
    ({ issueId, severity, text }) =>
      `| ${[issueId, severity, text].map((cell) => oneLine(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`,
  );
  const table = ['| ID | Severity | Finding |', '| --- | --- | --- |', ...issues].join('\n');
  return paragraphs([
    `### Review Date: ${timestamp?.slice(0, 10) ?? 'unknown'}`,
    `### Reviewed By: ${oneLine(reviewer ?? agentId ?? 'unknown')}`,
    ...(issues.length > 0 ? ['### Findings', table] : []),
    '### Gate Status',
    `Gate: ${gate}${file}`,
    reason ?? '',
  ]);
}
