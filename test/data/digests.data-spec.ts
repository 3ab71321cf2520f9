import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { digestOf, factsOf, lineOf, mergeTallies, rollupOf, tallyOf } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { factKinds, factsIn, tells } from './facts.js';
import { atLeast, isWhole, sampled } from './size.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const limitMs = 300_000;
/** The maximum size of a digest, as a share of the characters of its text. */
const share = 0.15;
const shortest = 1_000;
const fewestFacts = 5;
/**
 * The minimum number of facts in a digest, relative to the facts in the ends of the text. Digests of service runs
 * describe numbers, which have no units.
 */
const timesEnds = (name: string) => (name === 'service runs' ? 1.1 : 1.4);

// The README of the files describes their lines.
type Line = Readonly<Record<string, JsonValue>>;

function linesOf(...path: readonly string[]): readonly Line[] {
  const content = readFileSync(join(data, ...path), 'utf8');
  const lines = path.at(-1)?.endsWith('.jsonl') ? content.split('\n').filter(Boolean) : [content];
  return lines.map((line) => JSON.parse(line) as Line);
}

const texts = (...path: readonly string[]) => linesOf(...path).map(({ text }) => String(text));

/** Parsed if it is JSON: some texts are broken in the source. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** The members of lists in a value, by their names, at any depth. */
function membersOf(value: JsonValue | undefined, names: readonly string[]): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => membersOf(each, names));
  return Object.entries(value).flatMap(([name, member]) =>
    names.includes(name) && typeof member === 'string' ? [member] : membersOf(member, names),
  );
}

const runs = (folder: string) =>
  readdirSync(join(data, 'trajectories', folder))
    .filter((name) => !name.includes('INDEX'))
    .flatMap((name) => linesOf('trajectories', folder, name));

/** The texts of agents by source, and the minimum share of facts in the median digest. */
const sets: readonly (readonly [
  name: string,
  floor: number,
  values: () => readonly JsonValue[],
])[] = [
  ['stories', 0.93, () => texts('stories', 'stories.jsonl')],
  ['retrospectives', 0.93, () => texts('stories', 'retrospectives.jsonl')],
  ['gates', 0.7, () => texts('stories', 'qa-gates.jsonl')],
  ['decisions', 0.86, () => texts('decisions', 'adr.jsonl')],
  ['trails', 0.8, () => texts('handoffs', 'agent-trail.jsonl').map(parsed)],
  ['context files', 0.7, () => texts('handoffs', 'context-files.jsonl').map(parsed)],
  [
    'failed runs',
    0.76,
    () => membersOf(texts('trajectories', 'multi-agent-failures.jsonl').map(parsed), ['content']),
  ],
  [
    'service runs',
    0.45,
    () => membersOf(linesOf('trajectories', 'tool-agent-airline.jsonl'), ['content']),
  ],
  ['engineering runs', 0.9, () => membersOf(runs('swe-agent'), ['observation', 'response'])],
  [
    // Ids of calls and names of models are in the text of an event.
    'events',
    0.6,
    () => runs('event-streams').flatMap(({ history, ticks }) => [history ?? ticks ?? null].flat()),
  ],
  [
    'answers of roles',
    0.85,
    () => membersOf(linesOf('trajectories', 'role-prompts-responses.jsonl'), ['response']),
  ],
  ['issues', 0.72, () => membersOf(linesOf('work-events', 'issues-final.jsonl'), ['description'])],
];

const entriesOf = (values: readonly JsonValue[]) =>
  values.map((value, n) => ({
    kind: 'output',
    key: `${n}`,
    version: n + 1,
    author: 'somebody',
    phase: null,
    facts: factsOf(value),
  }));

/** A value with its keys, unchanged and with the escapes of its texts decoded at every level. */
function sourceOf(value: JsonValue): string {
  const text =
    typeof value === 'string' ? value : `${keysAndTexts(value)}\n${JSON.stringify(value)}`;
  return `${text}\n${decoded(text)}`;
}

function keysAndTexts(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${keysAndTexts(member)}`)
    .join('\n');
}

const escapes = /\\+(?:u(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{4}))|x([0-9a-f]{2})|([nr])|t|(["'`/]))/gi;
// eslint-disable-next-line no-control-regex -- terminals are controlled by it
const terminalColours = /\u001b?\[[\d;?]*[A-Za-z]/g;
const marks: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
};

/** With its line ends: no fact spans two lines. */
function decoded(text: string): string {
  return text
    .replace(escapes, (_, ...groups: readonly (string | undefined)[]) => decodeEscape(groups))
    .replace(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => marks[name] ?? ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(terminalColours, ' ')
    .replace(/[\r\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ');
}

function decodeEscape(groups: readonly (string | undefined)[]): string {
  const [point, hex4, hex2, lineEnd, itself] = groups;
  const hex = point ?? hex4 ?? hex2;
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  return lineEnd === undefined ? (itself ?? ' ') : '\n';
}

function characterOf(code: number): string {
  return code > 0x10_ffff ? ' ' : String.fromCodePoint(code);
}

/**
 * The facts in the lines of a shortened text, by the patterns of the measurements; a text cut by an ellipsis is not a
 * fact.
 */
function shownFacts(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const facts = factsIn(line.replaceAll(/\S*…\S*/g, ' '));
    return factKinds.flatMap((kind) => [...facts[kind]]);
  });
}

/** The facts in a line that lists those of one kind, without their labels. */
function listedIn(line: string): readonly string[] {
  const items = line.slice(line.indexOf(': ') + 2).split(/[;,] /);
  return items.map((item) => item.replace(/^[^:]{1,20}: /, '').replace(/ \(\d+\)$/, ''));
}

/** Whether a text contains a fact that is not part of a longer word or number. */
function stands(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + fact.length)];
    const isCut = /^\d/.test(fact) && /\d[.,]$/.test(before);
    if (!isCut && !inWord(before.at(-1), fact.at(0)) && !inWord(after[0], fact.at(-1))) return true;
  }
  return false;
}

function inWord(beside: string | undefined, edge: string | undefined): boolean {
  return /\w/.test(beside ?? '') && /\w/.test(edge ?? '');
}

/** The texts and numbers of a value as they are written in it: keys belong to the sender and are not facts. */
function textOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textOf).join('\n');
}

const median = (shares: readonly number[]) =>
  shares.toSorted((left, right) => left - right)[Math.floor(shares.length / 2)] ?? 0;

/** The median share of facts that remain in shortened texts with enough facts. */
function medianKept(
  values: readonly JsonValue[],
  shorten: (value: JsonValue, room: number) => string,
) {
  const kept = values.flatMap((value) => {
    const text = textOf(value);
    const facts = factsIn(text);
    const all = factKinds.flatMap((kind) => [...facts[kind]]);
    if (text.length < shortest || all.length < fewestFacts) return [];
    const short = shorten(value, Math.floor(text.length * share));
    return [all.filter((fact) => tells(short, fact)).length / all.length];
  });
  return { texts: kept.length, share: median(kept) };
}

function clipped(value: JsonValue, room: number): string {
  const text = textOf(value);
  const half = Math.floor(room / 2);
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

if (existsSync(join(data, 'trajectories'))) {
  describe.each(sets)(`digests of the real %s in ${data}`, (name, floor, valuesOf) => {
    const values = valuesOf();
    /** More than the sample, since small samples have other medians. */
    const measured =
      isWhole || values.length < 400 ? values : values.filter((_, at) => at % 3 === 0);
    const few = values.slice(0, isWhole ? 200 : 60);
    let kept: ReturnType<typeof medianKept>;

    beforeAll(() => {
      kept = medianKept(measured, digestOf);
    }, limitMs);

    it(
      'fit their limit, and are the same each time',
      () => {
        expect(values.length).toBeGreaterThan(10);
        for (const value of sampled(values)) {
          const room = Math.floor(textOf(value).length * share);
          const digest = digestOf(value, room);
          expect(digest.length).toBeLessThanOrEqual(room);
          expect(digest).not.toMatch(/^[\s/]|[\0\r]/);
          expect(digestOf(value, room)).toBe(digest);
          const line = lineOf(value, 120);
          expect(line.length).toBeLessThanOrEqual(120);
          expect(line).not.toContain('\n');
        }
      },
      limitMs,
    );

    it(
      `contain ${floor} of the facts or more at the median, in ${share} of the characters`,
      () => {
        expect(kept.texts).toBeGreaterThan(9);
        expect(kept.share).toBeGreaterThanOrEqual(floor);
      },
      limitMs,
    );

    it(
      'contain more facts than the first and the last characters',
      () => {
        const ends = medianKept(measured, clipped);
        expect(kept.share).toBeGreaterThan(ends.share * timesEnds(name));
      },
      limitMs,
    );

    it(
      'are rolled up with each fact once, within their limit, for any grouping',
      () => {
        const entries = entriesOf(few);
        const parts = [entries.slice(0, 25), entries.slice(25)].map(tallyOf);
        const tally = mergeTallies(parts);
        expect(tally).toMatchObject({ entries: entries.length, from: 1, to: entries.length });
        const rollup = rollupOf(tally, 2_000);
        expect(rollup.length).toBeLessThanOrEqual(2_000);
        for (const line of rollup
          .split('\n')
          .filter((each) => /^(paths|identifiers|urls): /.test(each))) {
          const facts = listedIn(line);
          expect(new Set(facts).size).toBe(facts.length);
        }
        expect(rollupOf(mergeTallies([mergeTallies(parts)]), 2_000)).toBe(rollup);
      },
      limitMs,
    );

    it(
      'contain no fact that the value lacks, unchanged or decoded, and neither do lines and roll-ups',
      () => {
        const sources = few.map(sourceOf);
        const invented = few.flatMap((value, n) => {
          const room = Math.max(200, Math.floor(textOf(value).length * share));
          const { errors, paths, identifiers, urls, numbers } = factsOf(value);
          const facts = [...errors, ...paths, ...identifiers, ...urls, ...numbers];
          const shown = [digestOf(value, room), lineOf(value, 120)].flatMap(shownFacts);
          return [...facts, ...shown].filter((fact) => !stands(sources[n] ?? '', fact));
        });
        expect(invented).toEqual([]);
        const all = sources.join('\n');
        const rollup = rollupOf(tallyOf(entriesOf(few)), 4_000);
        expect(shownFacts(rollup).filter((fact) => !stands(all, fact))).toEqual([]);
      },
      limitMs,
    );
  });

  it(
    'digests of all texts of agents contain most facts at the median',
    () => {
      const values = sets.flatMap(([, , valuesOf]) => sampled(valuesOf()));
      const kept = medianKept(values, digestOf);
      expect(kept.texts).toBeGreaterThan(atLeast(1_500));
      expect(kept.share).toBeGreaterThan(0.87);
    },
    limitMs,
  );
} else
  describe(`digests of texts of agents, ABSENT in ${data}: their facts are not measured here`, () => {
    it('are not computed', () => {
      expect(existsSync(join(data, 'trajectories'))).toBe(false);
    });
  });
