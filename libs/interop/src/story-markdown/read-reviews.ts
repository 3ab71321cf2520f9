import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { claimedBy } from './claimed-author.js';
import { type Verdict, severityOf, verdictInGateLine, verdictInOutcome } from './gate-outcome.js';
import { slugOf } from '../text/slug.js';
import { isTableDelimiter, tableCells } from '../markdown/table-cells.js';
import { isPlaceholder, plainText } from './prose.js';
import { type ExportedParts, maxIssues, takeExported } from './exported-review.js';
import { addRecord } from './read-other.js';
import { plainHeading } from './section-kind.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type Statement, type StoryReading, storyItem } from './story-reading.js';
import { matchedGroups } from '../text/matched-groups.js';

const begins = /^review date\b/;
const longestLine = 2_000;
const headed = /^\s*(review date|reviewed by|reviewer)\s*:?\s*(.*)$/i;
const outcomeHeading = /^(?:outcome|gate status)$/;
const open = /^(?:$|-+$|open|deferred|todo|pending|unresolved)/i;
const stated =
  /^[-*\s]*(?:\*\*|__)?(review(?:ed)? ?(?:date|by|er)|reviewer|date|outcome)(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.*)$/i;

type Findings = ExportedParts & {
  verdict: Verdict | undefined;
  line: MarkdownLine | undefined;
  isGate: boolean;
  reviewer: string;
  date: string;
  file: string | undefined;
};

/** Reads `## QA Results` and similar sections; there are several reviews if several headings have a review date. */
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
  const item = addReview(found, { reading, name, origin });
  for (const section of sections) {
    const outcome = item !== undefined && contains(section, found) ? item : undefined;
    const { heading, body, level, title } = section;
    if (addsNothing(section, outcome, found))
      reading.add(textOf(heading) + textOf(body), [outcome ?? storyItem]);
    else
      addRecord(section, reading, {
        name: level > 2 ? `${name}.${slugOf(title)}` : name,
        kind: 'review-record',
        origin,
        otherItem: outcome,
      });
  }
}

function contains(section: Section, { line, said }: Findings): boolean {
  return said.has(section) || (line !== undefined && section.body.includes(line));
}

/** Whether the section adds nothing to the item: it is empty, or has only the outcome of the review. */
function addsNothing(section: Section, outcome: string | undefined, { said }: Findings): boolean {
  const { body } = section;
  if (isBlank(body) || isPlaceholder(textOf(body))) return true;
  if (outcome === undefined) return false;
  return said.has(section) || body.filter(({ text }) => text.trim() !== '').length === 1;
}

type ReviewPlan = Readonly<{
  reading: StoryReading;
  name: string;
  origin: Statement['origin'];
}>;

function addReview(found: Findings, { reading, name, origin }: ReviewPlan): string | undefined {
  if (!found.verdict) return undefined;
  const reviewId = reading.names.take('review', name);
  const item = itemRef('review', reviewId);
  const { number, title } = reading.facts;
  const keyIssues = found.issues.map((issue) => ({
    ...issue,
    issueId: reading.names.take('issue', `${reviewId}.${slugOf(issue.issueId, 'issue')}`),
  }));
  const data = {
    reviewId,
    artifact: artifactOf(number, title),
    ...found.verdict,
    reviewFile: found.file,
    keyIssues: keyIssues.length > 0 ? keyIssues : undefined,
    reason: found.reason,
  };
  const line = found.line?.number ?? 1;
  return reading.state(item, { type: 'ReviewRecorded', data, line, origin }) ? item : undefined;
}

/**
 * The artifact of all reviews of the story. The name is always the same, so that later reviews can address issues of
 * earlier ones.
 */
export function artifactOf(number: string | null, title: string | null): string {
  return number === null ? (title ?? 'Story') : `Story ${number}`;
}

function findingsOf(sections: readonly Section[]): Findings {
  const found: Findings = {
    verdict: undefined,
    line: undefined,
    isGate: false,
    reviewer: '',
    date: '',
    file: undefined,
    issues: [],
    reason: undefined,
    said: new Set(),
  };
  for (const section of sections) {
    if (takeExported(section, found)) continue;
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

/** Takes `### Review Date: 2026-01-31`, `### Reviewed By: Quinn`, and `### Reviewer` with the name below. */
function takeHeading({ title, body }: Section, found: Findings): void {
  const [, name, rest] = matchedGroups(headed, title.slice(0, longestLine));
  if (name === '') return;
  const below = body.find(({ text }) => text.trim() !== '');
  takeFact(name, rest === '' && below ? below.text.slice(0, 200) : rest, found);
}

function takeFact(name: string, text: string, found: Findings): void {
  const value = plainText(text);
  if (isPlaceholder(value)) return;
  if (/date/i.test(name)) found.date ||= value;
  else found.reviewer ||= value;
}

function takeLine(line: MarkdownLine, heading: string, found: Findings): void {
  const { text } = line;
  const gate = verdictInGateLine(text);
  if (gate) {
    Object.assign(found, { verdict: gate, line, isGate: true, file: fileIn(text) ?? found.file });
  }
  const [, name, said] = matchedGroups(stated, text.trim());
  const isOutcome = /^outcome$/i.test(name);
  if (name !== '' && !isOutcome) takeFact(name, said, found);
  if (isOutcome || outcomeHeading.test(heading)) takeOutcome(line, said || text, found);
}

/** Takes the first line with a verdict of the review, unless there is a gate. */
function takeOutcome(line: MarkdownLine, said: string, found: Findings): void {
  const verdict = found.line ? undefined : verdictInOutcome(said);
  if (verdict) Object.assign(found, { verdict, line });
}

type Columns = Readonly<{ severity: number; header: readonly string[] }>;

/** A finding that was resolved in the review itself is not an issue. */
function takeIssue(
  cells: readonly string[],
  { severity, header }: Columns,
  { issues }: Findings,
): void {
  if (isTableDelimiter(`|${cells.join('|')}|`) || issues.length >= maxIssues) return;
  const [weight = '', ...rest] = cells.slice(severity);
  const text = rest.find((cell) => cell !== '');
  const known = severityOf(weight);
  const [issueId = ''] = cells;
  if (known !== undefined && text !== undefined && open.test(resolutionIn(cells, header)))
    issues.push({ issueId, severity: known, text });
}

/** The resolution of a finding; empty if the table has none. */
function resolutionIn(cells: readonly string[], header: readonly string[]): string {
  const at = header.findIndex((cell) => /^(?:resolution|status|action)$/i.test(cell));
  return cells[at] ?? '';
}

/** The gate file after the arrow: `Gate: PASS → docs/qa/gates/1.2.yml`. */
function fileIn(line: string): string | undefined {
  const [, behind = ''] = line.slice(0, longestLine).split(/→|->/, 2);
  const [name = ''] = behind.trim().replaceAll('`', '').split(/\s/, 1);
  return /\.ya?ml$/.test(name) ? name : undefined;
}
