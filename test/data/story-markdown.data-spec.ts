import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inputRuleFaults } from '#event-sourcing';
import {
  DocumentError,
  type DocumentReading,
  readContextDocument,
  storyMarkdownFormat,
} from '#interop';
import { clientEvent, commandFromEvent, renderDocument } from '#shared-context';
import { contextFrom } from '#testing';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const limitMs = 150_000;

type Line = Readonly<{ source: string; path: string; text: string }>;
type Outcome = 'fully' | 'partly' | 'not';

/** The number of records of each source that are read fully, partly and not at all. */
const files = {
  'stories/stories.jsonl': {
    'ALLiDoizCode/connector': [6, 8, 0],
    'Alberto-Codes/docvet': [109, 4, 0],
    'BOHICA-LABS/writescore': [36, 7, 0],
  },
  'stories/qa-gates.jsonl': {
    'ALLiDoizCode/connector': [70, 0, 0],
    'BOHICA-LABS/writescore': [9, 0, 0],
  },
  'revisions/story-revisions.jsonl': {
    'ALLiDoizCode/connector': [13, 12, 0],
  },
} as const;

function readLines(file: string): Line[] {
  const lines = readFileSync(join(data, file), 'utf8').split('\n').filter(Boolean);
  // The README of the files describes their lines.
  const all = lines.map((line) => JSON.parse(line) as Line);
  return all.filter(({ path }) => !path.endsWith('sprint-status.yaml'));
}

function readAlone({ path, text }: Line): DocumentReading | undefined {
  try {
    return storyMarkdownFormat.read?.([{ name: path, text }], {});
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The context after the events of a reading, all of which must be accepted. */
function contextOf({ creation, events }: DocumentReading) {
  const commands = events.map(({ event }) => {
    expect(inputRuleFaults(clientEvent, event).faults).toEqual([]);
    return commandFromEvent(clientEvent.parse(event), () => 'never');
  });
  const { state, events: recorded } = contextFrom([
    { type: 'CreateContext', data: creation },
    ...commands,
  ]);
  expect(recorded.map(({ type }) => type)).toEqual([
    'ContextCreated',
    ...events.map(({ event }) => event.type),
  ]);
  const facts = {
    workspace: 'default',
    contextId: 'c',
    version: recorded.length,
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    lastModifiedBy: 'tester',
    size: { events: recorded.length, bytes: 0, tokens: 0 },
  };
  return readContextDocument(renderDocument(state.values(), facts));
}

function outcomeOf(line: Line): Outcome {
  const reading = readAlone(line);
  if (!reading) return 'not';
  const before = contextOf(reading);
  const sources = reading.documents.map((one) => ({ ...one, removed: [], before }));
  const written = storyMarkdownFormat.write?.({ document: before, baseline: null, sources });
  expect(written?.documents).toEqual([{ name: line.path, text: line.text }]);
  return reading.notes.length === 0 ? 'fully' : 'partly';
}

function countsOf(file: string): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  for (const line of readLines(file)) {
    const count = (counts[line.source] ??= [0, 0, 0]);
    const at = ['fully', 'partly', 'not'].indexOf(outcomeOf(line));
    count[at] = (count[at] ?? 0) + 1;
  }
  return counts;
}

const names = Object.keys(files).map((file) => join(data, file));

if (names.every((name) => existsSync(name))) {
  describe(`the real stories and quality gates in ${data}`, () => {
    it.each(Object.entries(files))(
      'are read, and come back byte for byte: %s',
      (file, known) => {
        expect(countsOf(file)).toEqual(known);
      },
      limitMs,
    );
  });
} else {
  describe(`the real stories and quality gates, ABSENT in ${data}`, () => {
    it('are not read here', () => {
      expect(names.every((name) => existsSync(name))).toBe(false);
    });
  });
}
