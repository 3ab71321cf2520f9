import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type NamedText, DocumentError, trajectoryJsonlFormat } from '#interop';
import { clientEvent, contextToCreate } from '#shared-context';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');

type Counts = { fully: number; partly: number; refused: number };

/** A line of a set: `text` or `data` is the original file. */
type SetLine = Readonly<{ path: string; index?: number; text?: string; data?: unknown }>;

/**
 * Sets, the form of their files, and the numbers of files that are read fully, partly and not at all. Partly means that
 * a part remains text, or that the file lists no messages.
 */
const sets: readonly (readonly [set: string, files: () => NamedText[], expected: string])[] = [
  ['multi-agent-failures', () => wrapped('trajectories/multi-agent-failures'), '92, 0, 0'],
  ['tool-agent-airline', () => wrapped('trajectories/tool-agent-airline'), '104, 0, 0'],
  // Each is one text with all turns.
  ['retail-transcripts', () => wrapped('trajectories/tool-agent-retail-transcripts'), '0, 22, 0'],
  // These are YAML.
  ['planner-worker', () => wrapped('trajectories/planner-worker-conversations'), '0, 0, 7'],
  ['role-prompts', () => [asFile('trajectories/role-prompts-responses.jsonl')], '1, 0, 0'],
  ['swe-agent', () => filesIn('trajectories/swe-agent'), '16, 0, 0'],
  // The times have no zone.
  ['event-streams', () => filesIn('trajectories/event-streams'), '1, 7, 0'],
  // Chapters without events, and summaries of other trails.
  ['agent-trail', () => wrapped('handoffs/agent-trail'), '307, 47, 0'],
];

if (existsSync(join(data, 'trajectories'))) {
  describe(`the real runs of agents in ${data}`, () => {
    it.each(sets)('of %s become steps that contain every value unchanged', (_, files, expected) => {
      const { fully, partly, refused } = countAll(files());
      expect([fully, partly, refused].join(', ')).toBe(expected);
    });
  });
} else
  it(`real runs of agents are ABSENT in ${data}, so that reading them is not measured here`, () => {
    expect(existsSync(join(data, 'trajectories'))).toBe(false);
  });

function countAll(files: readonly NamedText[]): Counts {
  const counts = { fully: 0, partly: 0, refused: 0 };
  for (const file of files) count(file, counts);
  return counts;
}

function count(file: NamedText, counts: Counts): void {
  const reading = readOrRefuse(file);
  if (!reading) {
    counts.refused++;
    return;
  }
  contextToCreate.parse(reading.creation);
  const held = reading.events.map(({ event }) => clientEvent.parse(event).data);
  expect(scalarsOf(held.map((event) => Reflect.get(event, 'output')))).toEqual(
    scalarsOf(valuesOf(file.text)),
  );
  const isPartly = reading.notes.length > 0 || reading.events.length === 1;
  counts[isPartly ? 'partly' : 'fully']++;
}

/** The number of occurrences of each scalar: equal numbers prove that no value was lost or added. */
function scalarsOf(value: unknown, counts = new Map<unknown, number>()): Map<unknown, number> {
  if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) scalarsOf(one, counts);
  else counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function valuesOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return linesOf(text).map((line): unknown => JSON.parse(line));
  }
}

function readOrRefuse(file: NamedText): ReturnType<typeof trajectoryJsonlFormat.read> | undefined {
  try {
    return trajectoryJsonlFormat.read([file], {});
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function wrapped(set: string): NamedText[] {
  // The README of the set describes its lines.
  return linesOf(asFile(`${set}.jsonl`).text).map((line) => {
    const { path, index = 0, text, data: value } = JSON.parse(line) as SetLine;
    return { name: `${path}-${index}`, text: text ?? JSON.stringify(value, null, 2) };
  });
}

function filesIn(folder: string): NamedText[] {
  const names = readdirSync(join(data, folder)).filter((name) => name !== 'INDEX.jsonl');
  return names.toSorted().map((name) => asFile(`${folder}/${name}`));
}

function asFile(name: string): NamedText {
  return { name, text: readFileSync(join(data, name), 'utf8') };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
