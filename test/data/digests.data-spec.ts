import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { digestOf, factsOf, lineOf, mergeTallies, rollupOf, tallyOf } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { factKinds, factsIn, tells } from './facts.js';
import { atLeast, sampled } from './size.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const limitMs = 300_000;
/** A digest takes this share of the characters of the text it stands for. */
const share = 0.15;
const shortest = 1_000;
const fewestFacts = 5;

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
  ['trails', 0.88, () => texts('handoffs', 'agent-trail.jsonl').map(parsed)],
  ['context files', 0.7, () => texts('handoffs', 'context-files.jsonl').map(parsed)],
  [
    'failed runs',
    0.77,
    () => membersOf(texts('trajectories', 'multi-agent-failures.jsonl').map(parsed), ['content']),
  ],
  [
    'service runs',
    0.55,
    () => membersOf(linesOf('trajectories', 'tool-agent-airline.jsonl'), ['content']),
  ],
  ['engineering runs', 0.9, () => membersOf(runs('swe-agent'), ['observation', 'response'])],
  [
    'events',
    0.75,
    () => runs('event-streams').flatMap(({ history, ticks }) => [history ?? ticks ?? null].flat()),
  ],
  [
    'answers of roles',
    0.85,
    () => membersOf(linesOf('trajectories', 'role-prompts-responses.jsonl'), ['response']),
  ],
  ['issues', 0.72, () => membersOf(linesOf('work-events', 'issues-final.jsonl'), ['description'])],
];

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
  describe.each(sets)(`digests of the real %s in ${data}`, (_, floor, valuesOf) => {
    const values = valuesOf();

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
        const kept = medianKept(values, digestOf);
        expect(kept.texts).toBeGreaterThan(9);
        expect(kept.share).toBeGreaterThanOrEqual(floor);
      },
      limitMs,
    );

    it(
      'keep more than the first and the last characters do',
      () => {
        const ends = medianKept(values, clipped);
        expect(medianKept(values, digestOf).share).toBeGreaterThan(ends.share * 1.4);
      },
      limitMs,
    );

    it(
      'are rolled up to each fact once, within their room, in whichever parts',
      () => {
        const entries = values.slice(0, 200).map((value, n) => ({
          ...{
            kind: 'step-output',
            key: `${n}`,
            version: n + 1,
            author: `agent-${n % 3}`,
            phase: null,
            facts: factsOf(value),
          },
        }));
        const parts = [entries.slice(0, 70), entries.slice(70)].map(tallyOf);
        const tally = mergeTallies(parts);
        expect(tally).toMatchObject({ entries: entries.length, from: 1, to: entries.length });
        const rollup = rollupOf(tally, 2_000);
        expect(rollup.length).toBeLessThanOrEqual(2_000);
        for (const line of rollup
          .split('\n')
          .filter((each) => /^(paths|identifiers|urls): /.test(each))) {
          const facts = line.slice(line.indexOf(': ') + 2).split(', ');
          expect(new Set(facts).size).toBe(facts.length);
        }
        expect(rollupOf(mergeTallies([mergeTallies(parts)]), 2_000)).toBe(rollup);
      },
      limitMs,
    );

    it(
      'rest on facts that stand in the value',
      () => {
        for (const value of values.slice(0, 100)) {
          const text = JSON.stringify(value);
          const { paths, identifiers, errors } = factsOf(value);
          const strange = [...paths, ...identifiers, ...errors].filter(
            (fact) => !text.includes(fact),
          );
          // Escapes inside of texts are not followed here.
          expect(strange.filter((fact) => !/[\\"]/.test(fact))).toEqual([]);
        }
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
