import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { claimedBy } from './claimed-author.js';
import { type Verdict, severityOf, verdictInGateLine, verdictInOutcome } from './gate-outcome.js';
import { slugOf } from './item-names.js';
import { isTableDelimiter, tableCells } from './markdown-table.js';
import { isPlaceholder, plainText } from './prose.js';
import { addRecord, readNotes } from './read-other.js';
import { plainHeading } from './section-kind.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type Statement, type StoryReading, storyItem } from './story-reading.js';

const begins = /^review date\b/;
const longestLine = 2_000;
const open = /^(?:$|-+$|open|deferred|todo|pending|unresolved)/i;
const stated =
  /^[-*\s]*(?:\*\*|__)?(review(?:ed)? ?(?:date|by|er)|reviewer|date|outcome)(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.*)$/i;

type Found = {
  verdict: Verdict | undefined;
  line: MarkdownLine | undefined;
  isGate: boolean;
  reviewer: string;
  date: string;
  file: string | undefined;
  issues: Issue[];
};
type Issue = Readonly<{ issueId: string; severity: string; text: string }>;

/** `## QA Results` and the like; it holds several reviews if it says the date of each in a heading. */
export function readReviews(sections: readonly Section[], reading: StoryReading): void {
  const name = slugOf(sections[0]?.title ?? '');
  let review: Section[] = [];
  for (const section of sections) {
    const isNext = begins.test(plainHeading(section.title));
    if (isNext && review.some(({ title }) => begins.test(plainHeading(title)))) {
      readReview(review, reading, name);
      review = [];
    }
    review.push(section);
  }
  readReview(review, reading, name);
}

function readReview(sections: readonly Section[], reading: StoryReading, name: string): void {
  const found = findingsOf(sections);
  const origin = claimedBy(found.reviewer, found.date);
  const item = found.verdict && addReview(found, { reading, name, origin });
  for (const section of sections) {
    const holds = found.line !== undefined && section.body.includes(found.line);
    const { heading, body } = section;
    if (isBlank(body) || isPlaceholder(textOf(body)))
      reading.add(textOf(heading) + textOf(body), [holds && item ? item : storyItem]);
    else if (holds && item && body.filter(({ text }) => text.trim() !== '').length === 1)
      reading.add(textOf(heading) + textOf(body), [item]);
    else if (isBlank(heading)) readNotes(section, reading, `${name}.notes`);
    else
      addRecord(section, reading, {
        name: section.level > 2 ? `${name}.${slugOf(section.title)}` : name,
        kind: 'review-record',
        origin,
      });
  }
}

type ReviewPlan = Readonly<{
  reading: StoryReading;
  name: string;
  origin: Statement['origin'];
}>;

function addReview(found: Found, { reading, name, origin }: ReviewPlan): string | undefined {
  const reviewId = reading.names.take('review', name);
  const item = itemRef('review', reviewId);
  const { number, title } = reading.facts;
  const keyIssues = found.issues.map((issue) => ({
    ...issue,
    issueId: reading.names.take('issue', `${reviewId}.${slugOf(issue.issueId, 'issue')}`),
  }));
  const data = {
    ...{ reviewId, artifact: artifactOf(number, title), ...found.verdict, reviewFile: found.file },
    ...(keyIssues.length > 0 ? { keyIssues } : {}),
  };
  const line = found.line?.number ?? 1;
  return reading.state(item, { type: 'ReviewRecorded', data, line, origin }) ? item : undefined;
}

/** What reviews of the story are about: one name, so that later ones can address the issues of earlier ones. */
export function artifactOf(number: string | null, title: string | null): string {
  return number === null ? (title ?? 'Story') : `Story ${number}`;
}

function findingsOf(sections: readonly Section[]): Found {
  const found: Found = {
    ...{ verdict: undefined, line: undefined, isGate: false },
    ...{ reviewer: '', date: '', file: undefined, issues: [] },
  };
  for (const section of sections) {
    takeHeading(section, found);
    let severity = -1;
    let header: readonly string[] = [];
    for (const line of section.body) {
      if (line.isCode || line.text.length > longestLine) continue;
      takeLine(line, plainHeading(section.title), found);
      const cells = tableCells(line.text);
      if (!cells) severity = -1;
      else if (severity >= 0) takeIssue(cells, { severity, header }, found);
      else {
        severity = cells.findIndex((cell) => /^severity$/i.test(cell));
        header = cells;
      }
    }
  }
  return found;
}

/** `### Review Date: 2026-01-31`, `### Reviewed By: Quinn`, and `### Reviewer` with the name below. */
function takeHeading({ title, body }: Section, found: Found): void {
  const [name = '', ...rest] = title.slice(0, longestLine).split(':');
  const below = body.find(({ text }) => text.trim() !== '')?.text ?? '';
  const said = plainText(rest.length > 0 ? rest.join(':') : below.slice(0, 200));
  if (/^review date$/i.test(name.trim())) found.date ||= said;
  else if (/^(?:reviewed by|reviewer)$/i.test(name.trim()) && !isPlaceholder(said))
    found.reviewer ||= said;
}

function takeLine(line: MarkdownLine, heading: string, found: Found): void {
  const { text } = line;
  const gate = verdictInGateLine(text);
  const file = gate && /(?:→|->)\s*`?([^\s`]+\.ya?ml)/.exec(text)?.[1];
  if (gate) Object.assign(found, { verdict: gate, line, isGate: true, file: file ?? found.file });
  const [, name = '', said = ''] = stated.exec(text.trim()) ?? [];
  if (/date/i.test(name)) found.date ||= plainText(said);
  else if (/by|er$/i.test(name)) found.reviewer ||= plainText(said);
  const isOutcome = /^outcome$/i.test(name) || /^(?:outcome|gate status)$/.test(heading);
  const outcome =
    isOutcome && !found.isGate && !found.line ? verdictInOutcome(said || text) : undefined;
  if (outcome) Object.assign(found, { verdict: outcome, line });
}

/** A finding that was dealt with in the review itself is no issue. */
function takeIssue(
  cells: readonly string[],
  { severity, header }: Readonly<{ severity: number; header: readonly string[] }>,
  found: Found,
): void {
  if (isTableDelimiter(`|${cells.join('|')}|`) || found.issues.length >= 500) return;
  const weight = severityOf(cells[severity] ?? '');
  const resolution = header.findIndex((cell) => /^(?:resolution|status|action)$/i.test(cell));
  const text = cells.slice(severity + 1).find((cell) => cell !== '') ?? '';
  if (weight === undefined || text === '' || !open.test(cells[resolution] ?? '')) return;
  found.issues.push({ issueId: cells[0] ?? '', severity: weight, text });
}
