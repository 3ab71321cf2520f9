import { join } from 'node:path';

import { readLines } from './json-lines.js';
import { type Story } from './story.js';
import { type SourceEvent, nameOf, sourceEvent } from './source-event.js';

type Adr = Readonly<{ source: string; path: string; text: string }>;

/** Decision records of projects: one context per project; a record is superseded if a later one states that. */
export function adrStories(folder: string): readonly Story[] {
  const records = readLines<Adr>(join(folder, 'decisions', 'adr.jsonl'));
  return [...Map.groupBy(records, ({ source }) => source)].map(([source, adrs], n): Story => {
    const inOrder = adrs.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    return { name: `adrs-${n}`, set: 'decisions', events: [created(source), ...events(inOrder)] };
  });
}

function created(title: string): SourceEvent {
  return sourceEvent('operator', 'ContextCreated', { title });
}

function events(adrs: readonly Adr[]): readonly SourceEvent[] {
  const ids = new Map(adrs.map((adr, at) => [fileOf(adr.path), `D${String(at).padStart(3, '0')}`]));
  /** The earlier decision that each decision replaces. */
  const earlier = new Map<string, string>();
  for (const { path, text } of adrs) {
    const [, by = ''] = /superseded by[^(\n]*\(([^)\s]+)\)/i.exec(text) ?? [];
    const [own, later] = [ids.get(fileOf(path)), ids.get(fileOf(by))];
    if (own && later && own < later && !earlier.has(later)) earlier.set(later, own);
  }
  return adrs.map(({ path, text }) => decision(path, text, { ids, earlier }));
}

type KnownDecisions = Readonly<{
  ids: ReadonlyMap<string, string>;
  earlier: ReadonlyMap<string, string>;
}>;

/** The section with the decision; the others are its rationale. */
function decision(path: string, text: string, { ids, earlier }: KnownDecisions): SourceEvent {
  const parts = text.replaceAll('\r\n', '\n').split(/^(?=##? )/m);
  const title = /^#+ +(.+)$/m.exec(text)?.[1] ?? path;
  const decided = parts.filter((part) => /^## *decision/i.test(part));
  const rest = parts.filter((part) => !decided.includes(part)).join('');
  const decisionId = ids.get(fileOf(path)) ?? path;
  const supersedes = earlier.get(decisionId);
  const said = decided.map((part) => part.replace(/^.*\n/, '').trim()).join('\n');
  return sourceEvent('architect', 'DecisionRecorded', {
    decisionId,
    topic: nameOf(path, decisionId),
    decision: said || title,
    rationale: rest,
    ...(supersedes !== undefined && { supersedes }),
  });
}

function fileOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  return /^readme/i.test(last) ? (parts.at(-2) ?? last) : last;
}
