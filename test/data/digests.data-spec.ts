import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { digestOf, factsOf, lineOf, mergeTallies, rollupOf, tallyOf } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { factKinds, factsIn, tells } from './facts.js';
import { atLeast, isWhole, sampled } from './size.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const limitMs = 300_000;
/** A digest takes this share of the characters of the text it stands for. */
const share = 0.15;
const shortest = 1_000;
const fewestFacts = 5;
/** How many times as many facts as the ends of a text a digest keeps; of service runs it says what the numbers are, which have no units. */
const timesEnds = (name: string) => (name === 'service runs' ? 1.1 : 1.4);

// The files' own README says what a line holds.
type Line = Readonly<Record<string, JsonValue>>;

function linesOf(...path: readonly string[]): readonly Line[] {
  const content = readFileSync(join(data, ...path), 'utf8');
  const lines = path.at(-1)?.endsWith('.jsonl') ? content.split('\n').filter(Boolean) : [content];
  return lines.map((line) => JSON.parse(line) as Line);
}

const texts = (...path: readonly string[]) => linesOf(...path).map(({ text }) => String(text));

/** Parsed where it is JSON: some are broken in the source. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** The members of lists in a value, by their names, however deep they lie. */
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

/** What agents wrote, by where it comes from, and how much of its facts the median digest keeps at least. */
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
    // Ids of calls and names of models, which only carry an event, are in its text.
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

/** A value with its keys, as it is and with the escapes of texts in it decoded, however often they were escaped. */
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

/** With its line ends: no fact stands in two lines. */
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

/** Facts of the lines of a shortened text, by the patterns of the measurements; what an ellipsis cuts is no fact. */
function shownFacts(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const facts = factsIn(line.replaceAll(/\S*…\S*/g, ' '));
    return factKinds.flatMap((kind) => [...facts[kind]]);
  });
}

/** The facts of a line that lists those of a kind, without their labels. */
function listedIn(line: string): readonly string[] {
  const items = line.slice(line.indexOf(': ') + 2).split(/[;,] /);
  return items.map((item) => item.replace(/^[^:]{1,20}: /, '').replace(/ \(\d+\)$/, ''));
}

/** Whether a text has a fact that is no part of a longer word or number. */
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

/** The texts and numbers of a value, as they stand in it: keys are the sender's, not facts. */
function textOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textOf).join('\n');
}

const median = (shares: readonly number[]) =>
  shares.toSorted((left, right) => left - right)[Math.floor(shares.length / 2)] ?? 0;

/** What shortened text keeps of the facts of texts that are long enough to tell; the median of the shares. */
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
    const few = values.slice(0, isWhole ? 200 : 60);
    let kept: ReturnType<typeof medianKept>;

    beforeAll(() => {
      kept = medianKept(values, digestOf);
    }, limitMs);

    it(
      'fit their room, and are the same each time',
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
      `keep ${floor} of the facts and more at the median, in ${share} of the characters`,
      () => {
        expect(kept.texts).toBeGreaterThan(9);
        expect(kept.share).toBeGreaterThanOrEqual(floor);
      },
      limitMs,
    );

    it(
      'keep more than the first and the last characters do',
      () => {
        const ends = medianKept(values, clipped);
        expect(kept.share).toBeGreaterThan(ends.share * timesEnds(name));
      },
      limitMs,
    );

    it(
      'are rolled up to each fact once, within their room, in whichever parts',
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
      'have no fact that the value has not, as it is or decoded, and neither have lines and roll-ups',
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
    'digests of all that agents wrote keep most facts at the median',
    () => {
      const values = sets.flatMap(([, , valuesOf]) => sampled(valuesOf()));
      const kept = medianKept(values, digestOf);
      expect(kept.texts).toBeGreaterThan(atLeast(1_500));
      expect(kept.share).toBeGreaterThan(0.87);
    },
    limitMs,
  );
} else
  describe(`digests of what agents wrote, ABSENT in ${data}: what they keep is not measured here`, () => {
    it('has nothing to be made of', () => {
      expect(existsSync(join(data, 'trajectories'))).toBe(false);
    });
  });
