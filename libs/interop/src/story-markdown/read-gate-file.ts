import { isJsonObject } from '#event-sourcing';
import { type Document, type LineCounter, isMap, isScalar } from 'yaml';

import { DocumentError } from '../documents/document.error.js';
import { type NamedText } from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { claimedBy } from './claimed-author.js';
import { gateVerdict, severityOf } from './gate-outcome.js';
import { slugOf } from '../text/slug.js';
import { bodyOf } from './prose.js';
import { artifactOf } from './read-reviews.js';
import { readYaml } from './read-yaml.js';
import { type StoryReading } from './story-reading.js';

const isGateLine = /^gate[ \t]*:/m;
const heading = /^#{1,6}[ \t]/m;
const longestGate = 4_194_304;
/** Members that become part of the review. */
const reviewMembers: ReadonlySet<string> = new Set([
  'schema',
  'story',
  'story_title',
  'gate',
  'status_reason',
  'reviewer',
  'updated',
  'waiver',
  'top_issues',
]);

type Members = Readonly<Record<string, unknown>>;

/** Whether a document is the file of a quality gate: YAML with the outcome of the gate at its outermost level. */
export function isGateFile({ name, text }: NamedText): boolean {
  if (text.length > longestGate || !isGateLine.test(text)) return false;
  return /\.ya?ml$/i.test(name) || !heading.test(text.slice(text.search(isGateLine)));
}

/** Reads the file of a gate. `isAlone`: whether it is imported without a story; invalid YAML is refused then. */
export function readGateFile(text: string, reading: StoryReading, isAlone: boolean): void {
  const yaml = readYaml(text);
  if (!('fault' in yaml)) return readMembers(text, yaml, reading);
  const { fault, line } = yaml;
  const place = { document: reading.document, line, pointer: '' };
  if (isAlone) throw new DocumentError(place, `${fault}: correct it, or import it with its story`);
  reading.notes.push({ ...place, kind: 'text', detail: fault });
  reading.add(text, []);
}

type Gate = Readonly<{ document: Document; values: Members; lines: LineCounter }>;

function readMembers(text: string, { document, values, lines }: Gate, reading: StoryReading): void {
  const entries = entriesOf(document, text);
  const places = new Map(entries.map(({ name, start }) => [name, lines.linePos(start).line]));
  const review = addReview(values, reading, places);
  const items = review === undefined ? [] : [review];
  reading.add(text.slice(0, entries[0]?.start ?? text.length), items);
  for (const { name, start, end } of entries) {
    const part = text.slice(start, end);
    if (reviewMembers.has(name) && review !== undefined) reading.add(part, items);
    else addMember({ name, part, line: places.get(name) ?? 1 }, reading);
  }
}

/** Other members become records of the review, with their unchanged text. */
function addMember(
  { name, part, line }: Readonly<{ name: string; part: string; line: number }>,
  reading: StoryReading,
): void {
  const recordId = reading.names.take('record', `gate.${slugOf(name)}`);
  const item = itemRef('record', recordId);
  const isTitle = name.trim() !== '' && name.length <= 1_000;
  const data = {
    recordId,
    kind: 'custom',
    body: bodyOf(part),
    ...(isTitle ? { title: name } : {}),
  };
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const isStated = reading.state(item, { type: 'RecordAppended', data, line, pointer });
  reading.add(part, isStated ? [item] : []);
}

type Entry = Readonly<{ name: string; start: number; end: number }>;

/** The members with their texts, each up to the beginning of the next one. */
function entriesOf({ contents }: Document, text: string): Entry[] {
  if (!isMap(contents) || contents.flow === true) return [];
  const starts = contents.items.flatMap(({ key }) => {
    const start = isScalar(key) ? key.range?.[0] : undefined;
    return start === undefined || !isScalar(key) ? [] : [{ name: String(key.value), start }];
  });
  return starts.map((entry, at) => ({ ...entry, end: starts[at + 1]?.start ?? text.length }));
}

function addReview(
  values: Members,
  reading: StoryReading,
  places: ReadonlyMap<string, number>,
): string | undefined {
  const word = textOf(values['gate']);
  const verdict = gateVerdict(word);
  const line = places.get('gate') ?? 1;
  if (!verdict) {
    reading.note('text', line, `"${word.slice(0, 80)}" is not an outcome of a gate`);
    return undefined;
  }
  const story = takeStory(values, reading);
  const reviewId = reading.names.take('review', `gate-${slugOf(story ?? '', 'story')}`);
  const item = itemRef('review', reviewId);
  const issues = issuesIn(values['top_issues'], reviewId, reading);
  const data = {
    reviewId,
    artifact: artifactOf(story, reading.facts.title),
    ...verdict,
    keyIssues: issues.length > 0 ? issues : undefined,
    reason: reasonIn(values, verdict.gate === 'WAIVED'),
  };
  const origin = claimedBy(textOf(values['reviewer']), textOf(values['updated']));
  const statement = { type: 'ReviewRecorded', data, line, pointer: '/gate', origin };
  return reading.state(item, statement) ? item : undefined;
}

/** Takes the number of the story that the gate is about. */
function takeStory(values: Members, { facts }: StoryReading): string | null {
  const number = textOf(values['story']) || null;
  facts.number ??= number;
  facts.title ??= textOf(values['story_title']) || null;
  return number ?? facts.number;
}

function reasonIn(values: Members, isWaived: boolean): string | undefined {
  const waiver = isJsonObject(values['waiver']) ? textOf(values['waiver']['reason']) : '';
  const reason = textOf(values['status_reason']);
  const text = isWaived && waiver !== '' ? waiver : reason;
  return text.trim() === '' ? undefined : text.slice(0, 10_000).toWellFormed();
}

function issuesIn(value: unknown, reviewId: string, { names }: StoryReading) {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 500).flatMap((entry: unknown) => {
    const issue: Readonly<Record<string, unknown>> = isJsonObject(entry)
      ? entry
      : { finding: entry };
    const finding =
      textOf(issue['finding']) || textOf(issue['description']) || textOf(issue['title']);
    if (finding.trim() === '') return [];
    const id = textOf(issue['id']).slice(0, 64);
    const isName = /^[\p{L}\p{N}][\w.-]*$/u.test(id);
    const action = textOf(issue['suggested_action']);
    return [
      {
        issueId: names.take('issue', isName ? id : `${reviewId}.issue`),
        severity: severityOf(textOf(issue['severity'])) ?? 'medium',
        text: action === '' ? finding : `${finding}\n\nSuggested action: ${action}`,
      },
    ];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
