import { tableCells } from '../markdown/table-cells.js';
import { readBody } from './body-text.js';
import { severityOf } from './gate-outcome.js';
import { issuesHeader } from './print-records.js';
import { plainHeading } from './section-kind.js';
import { type Section, textOf } from './story-sections.js';

export const maxIssues = 500;
const longestText = 10_000;

type Issue = Readonly<{ issueId: string; severity: string; text: string }>;

/** The subsections of a review that exports write. */
export type ExportedParts = {
  issues: Issue[];
  reason: string | undefined;
  /** Sections that are completely represented by the review. */
  said: Set<Section>;
};

/** Takes the reason of a review, or the table of its issues. Returns whether the section is one of these. */
export function takeExported(section: Section, found: ExportedParts): boolean {
  const plain = plainHeading(section.title);
  if (plain === 'status reason') {
    const reason = readBody(textOf(section.body));
    if (reason.trim() === '' || reason.length > longestText) return false;
    found.reason ??= reason;
    found.said.add(section);
    return true;
  }
  const issues = plain === 'findings' ? exportedIssues(section) : undefined;
  if (!issues || found.issues.length + issues.length > maxIssues) return false;
  found.issues.push(...issues);
  found.said.add(section);
  return true;
}

/** The issues of a table of issues; undefined if the section has any other content. */
function exportedIssues({ body }: Section): Issue[] | undefined {
  const [head, , ...rows] = body.map(({ text }) => text.trim()).filter((line) => line !== '');
  if (head !== issuesHeader || rows.length === 0) return undefined;
  const issues = rows.flatMap((row) => {
    const [issueId = '', weight = '', text = ''] = tableCells(row) ?? [];
    const severity = severityOf(weight);
    const isIssue = severity !== undefined && text !== '' && text.length <= longestText;
    return isIssue ? [{ issueId, severity, text }] : [];
  });
  return issues.length === rows.length ? issues : undefined;
}
