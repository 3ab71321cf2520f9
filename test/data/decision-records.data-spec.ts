import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inputRuleFaults } from '#event-sourcing';
import { type DocumentReading, adrMarkdownFormat, readContextDocument } from '#interop';
import { clientEvent, commandFromEvent, renderDocument } from '#shared-context';
import { contextFrom } from '#testing';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const file = join(data, 'decisions', 'adr.jsonl');

type Line = Readonly<{ source: string; path: string; text: string }>;

function readLines(): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  // The README next to the file describes its lines.
  return lines.map((line) => JSON.parse(line) as Line);
}

function readFolder(lines: readonly Line[]): DocumentReading {
  const documents = lines.map(({ path, text }) => ({ name: path, text }));
  const reading = adrMarkdownFormat.read?.(documents, {});
  if (!reading) throw new Error('decision records cannot be read');
  return reading;
}

/** The context of a reading: each event is decided as in an import. */
function contextOf({ creation, events }: DocumentReading) {
  const commands = events.map(({ event }) => {
    const command = commandFromEvent(clientEvent.parse(event), () => 'unused');
    return { ...command, isImported: true } as typeof command;
  });
  const created = { type: 'CreateContext', data: creation, visibility: undefined } as const;
  const { state, events: recorded } = contextFrom([created, ...commands]);
  const rendered = renderDocument(state.values(), {
    workspace: 'default',
    contextId: 'adr',
    version: recorded.length,
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    lastModifiedBy: 'tester',
    size: { events: recorded.length, bytes: 0, tokens: 0 },
  });
  return { document: readContextDocument(rendered), recorded };
}

/**
 * The number of records of a source that are read fully, in part (no section for the decision, or text that remains
 * text), and not at all.
 */
type Share = Readonly<{ records: number; full: number; part: number; none: number }>;

const expected: readonly (readonly [source: string, share: Share])[] = [
  ['eclipse-edc/Connector', { records: 108, full: 106, part: 1, none: 1 }],
  ['microsoft/semantic-kernel', { records: 73, full: 56, part: 17, none: 0 }],
  ['ministryofjustice/cloud-platform', { records: 49, full: 43, part: 6, none: 0 }],
  ['ministryofjustice/modernisation-platform', { records: 45, full: 44, part: 1, none: 0 }],
  ['alphagov/gsp', { records: 45, full: 45, part: 0, none: 0 }],
  ['dapr/dapr', { records: 23, full: 22, part: 1, none: 0 }],
  ['adr/madr', { records: 19, full: 19, part: 0, none: 0 }],
  [
    'DFE-Digital/claim-additional-payments-for-teaching',
    { records: 13, full: 13, part: 0, none: 0 },
  ],
];

function shareOf({ documents, events, notes }: DocumentReading): Share {
  const decided = new Set(
    events
      .filter(({ event }) => event.type === 'DecisionRecorded')
      .map(({ place }) => place.document),
  );
  const partly = new Set(
    notes
      .filter(({ kind, detail }) => kind === 'text' || detail.includes('no section'))
      .map(({ document }) => document),
  );
  const part = documents.filter(({ name }) => decided.has(name) && partly.has(name)).length;
  const none = documents.length - decided.size;
  return { records: documents.length, full: decided.size - part, part, none };
}

describe('decision records of real projects', () => {
  const all = existsSync(file) ? readLines() : [];

  if (all.length === 0) {
    it(`are ABSENT in ${data}, so that they are not read here`, () => {
      expect(existsSync(file)).toBe(false);
    });
    return;
  }

  it.each(expected)('of %s become one context that is exported unchanged', (source, share) => {
    const lines = all.filter((line) => line.source === source);
    const reading = readFolder(lines);
    expect(shareOf(reading)).toEqual(share);
    expect(reading.documents.map(({ pieces }) => pieces.map(({ text }) => text).join(''))).toEqual(
      lines.map(({ text }) => text),
    );
    for (const { event } of reading.events)
      expect(inputRuleFaults(clientEvent, event).faults).toEqual([]);
    const { document, recorded } = contextOf(reading);
    expect(recorded).toHaveLength(reading.events.length + 1);
    const written = adrMarkdownFormat.write?.({
      document,
      baseline: null,
      sources: reading.documents.map((one) => ({ ...one, removed: [], before: document })),
    });
    expect(written?.documents).toEqual(lines.map(({ path, text }) => ({ name: path, text })));
  });

  it.each(expected)(
    'of %s can be read again after they were written from their state',
    (source) => {
      const { document } = contextOf(readFolder(all.filter((line) => line.source === source)));
      const { documents } = adrMarkdownFormat.write?.({
        document,
        baseline: null,
        sources: [],
      }) ?? { documents: [] };
      const again = contextOf(
        readFolder(documents.map(({ name, text }) => ({ source, path: name, text }))),
      ).document;
      const said = ({ decisionHistory }: typeof document) =>
        decisionHistory.map(({ decision, rationale, tradeOffs, status }) => ({
          decision,
          rationale,
          tradeOffs,
          status,
        }));
      expect(said(again)).toEqual(said(document));
    },
  );
});
