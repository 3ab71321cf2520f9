import fc from 'fast-check';

import { inputRuleFaults } from '#event-sourcing';
import {
  type ClientEvent,
  type ContextCommand,
  clientEvent,
  commandFromEvent,
  renderDocument,
} from '#shared-context';
import { contextFrom } from '#testing';

import { readContextDocument } from '../documents/context-document.js';
import {
  type DocumentReading,
  type NamedText,
  type WrittenSource,
} from '../documents/document-format.js';
import { readAdrMarkdown } from './read-adr.js';
import { writeAdrMarkdown } from './write-adr.js';

function clientEventsOf({ events }: DocumentReading): ClientEvent[] {
  return events.map(({ event }) => {
    expect(inputRuleFaults(clientEvent, event).faults).toEqual([]);
    return clientEvent.parse(event);
  });
}

function contextOf(events: readonly ClientEvent[]) {
  const commands = events.map((event): ContextCommand => {
    const command = commandFromEvent(event, () => 'made');
    return command.type === 'RecordDecision' ? { ...command, isImported: true } : command;
  });
  const { state, events: recorded } = contextFrom([
    { type: 'CreateContext', data: {} },
    ...commands,
  ]);
  const document = renderDocument(state.values(), {
    workspace: 'default',
    contextId: 'c',
    version: recorded.length,
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    lastModifiedBy: 'tester',
    size: { events: recorded.length, bytes: 0, tokens: 0 },
  });
  return { document: readContextDocument(document), taken: recorded.length - 1 };
}

/** Imports documents, adds events, and writes the documents. */
function importAndWrite(documents: readonly NamedText[], more: readonly ClientEvent[] = []) {
  const reading = readAdrMarkdown(documents);
  const events = clientEventsOf(reading);
  const { document: before, taken } = contextOf(events);
  expect(taken).toBe(events.length);
  const sources: WrittenSource[] = reading.documents.map((read) => ({
    ...read,
    removed: [],
    before,
  }));
  const { document } = contextOf([...events, ...more]);
  return writeAdrMarkdown({ document, baseline: null, sources });
}

const nygard = (status: string) =>
  `# 1. Use queues\n\nDate: 2024-05-01\n\n## Status\n\n${status}\n\n## Decision\n\nWe use queues.\n`;

const topics: ClientEvent = {
  type: 'DecisionRecorded',
  data: { decisionId: 'DEC-001', decision: 'Topics take the place of queues. They fan out.' },
};
const replacing: ClientEvent = {
  type: 'DecisionRecorded',
  data: { ...topics.data, supersedes: 'ADR-0001' },
};

describe('imported decision records', () => {
  it('state the approval of a proposal in their own style', () => {
    const approved: ClientEvent = { type: 'DecisionApproved', data: { decisionId: 'ADR-0001' } };
    const texts = ['🤔 Proposed', 'PROPOSED', 'proposed (for now)'].map(
      (status) =>
        importAndWrite([{ name: '0001-q.md', text: nygard(status) }], [approved]).documents[0]
          ?.text,
    );
    expect(texts).toEqual(
      ['✅ Accepted', 'Accepted', 'accepted (for now)'].map((status) => nygard(status)),
    );
  });

  it('link to the decision that superseded theirs, which gets a file with the next number', () => {
    const { documents } = importAndWrite(
      [{ name: 'adr/0001-q.md', text: nygard('Accepted') }],
      [replacing],
    );
    expect(documents.map(({ name }) => name)).toEqual([
      'adr/0001-q.md',
      'adr/0002-topics-take-the-place-of-queues.md',
    ]);
    expect(documents[0]?.text).toBe(
      nygard('Superseded by [DEC-001](0002-topics-take-the-place-of-queues.md)'),
    );
    const again = readAdrMarkdown(documents);
    expect(again.notes).toEqual([]);
    expect(again.events.map(({ event }) => event.data)).toContainEqual(
      expect.objectContaining({ decisionId: 'DEC-001', supersedes: 'ADR-0001' }),
    );
  });

  it.each([
    ['---\r\ndate: 2024-05-01\r\n---\r\n# Q\r\n', '---\r\nstatus: superseded by [', '\r\ndate: 2'],
    [
      '# Q\n\nText.\n\n## Decision\n\nQueues.\n',
      'Text.\n\n## Status\n\nSuperseded by [',
      '\n\n## D',
    ],
    [
      '* Status: accepted\n\n# Q\n\n## Decision\n\nQueues.\n',
      '* Status: superseded by [',
      '\n\n# Q',
    ],
  ])('get a status if they had none: %j', (text, before, after) => {
    const [document] = importAndWrite([{ name: '0001-q.md', text }], [replacing]).documents;
    expect(document?.text).toContain(before);
    expect(document?.text).toContain(`.md)${after}`);
  });
});

describe('decisions that were not imported', () => {
  it('become files that are read as the same decisions', () => {
    const events: ClientEvent[] = [
      {
        type: 'DecisionRecorded',
        data: {
          decisionId: 'ADR-0007',
          decision: 'Use PostgreSQL. It is known.\n\n## Status\n\nFine\n\n```\nopen',
          rationale: 'We need a store.\n---\nIt must be durable.',
          alternativesConsidered: [
            { option: 'PostgreSQL', pros: ['Good, because known'], cons: ['Bad, because big'] },
            { option: 'Files', description: 'On disk.\n\n# As they are' },
          ],
          tradeOffs: { cost: 2 },
          date: '2024-05-01',
        },
      },
      {
        type: 'DecisionRecorded',
        data: {
          decisionId: 'cache',
          decision: 'No cache',
          requiresApproval: true,
          alternativesConsidered: { redis: 'too much' },
          tradeOffs: 'Slower.',
          relatedDecisions: [{ decisionId: 'ADR-0007', relation: 'requires' }],
        },
      },
    ];
    const { document } = contextOf(events);
    const { documents } = writeAdrMarkdown({ document, baseline: null, sources: [] });
    expect(documents.map(({ name }) => name)).toEqual([
      '0007-use-postgresql.md',
      '0001-no-cache.md',
    ]);
    const reading = readAdrMarkdown(documents);
    expect(reading.notes).toEqual([]);
    const decisions = reading.events.filter(({ event }) => event.type === 'DecisionRecorded');
    expect(decisions.map(({ event }) => event.data)).toEqual(
      events.map(({ data }) => ({ date: '2026-01-01', ...data })),
    );
  });
});

describe('records that are named after an imported decision', () => {
  const note = (data: object) =>
    ({
      type: 'RecordAppended',
      data: { recordId: 'ADR-0001.load-test', kind: 'custom', title: 'Load test', ...data },
    }) as ClientEvent;

  it('become sections of its document if they are texts', () => {
    const text = nygard('Accepted').replaceAll('\n', '\r\n');
    const written = importAndWrite(
      [{ name: '0001-q.md', text }],
      [note({ body: 'It holds.\n# Yes' })],
    );
    const section = '\r\n## Load test\r\n\r\nIt holds.\r\n\\# Yes\r\n';
    expect(written).toEqual({
      documents: [{ name: '0001-q.md', text: text + section }],
      notCarried: [],
    });
    const { events } = readAdrMarkdown(written.documents);
    expect(events.at(-1)).toMatchObject({
      item: 'record:ADR-0001.load-test',
      event: { data: { body: 'It holds.\n# Yes' } },
    });
  });

  it('are listed if they are not texts, or if the document ends within a block of code', () => {
    const plain = { name: '0001-q.md', text: nygard('Accepted') };
    const open = { name: '0001-q.md', text: `${plain.text}\`\`\`\ncode\n` };
    expect(importAndWrite([plain], [note({ fields: { rate: 9 } })])).toEqual({
      documents: [plain],
      notCarried: ['records'],
    });
    expect(importAndWrite([open], [note({ body: 'Text' })])).toEqual({
      documents: [open],
      notCarried: ['records'],
    });
  });
});

describe('content for which decision records have no place', () => {
  it('is listed', () => {
    const { document } = contextOf([
      { type: 'DecisionRecorded', data: { decision: 'Yes', confidence: 0.5 } },
      { type: 'RecordAppended', data: { recordId: 'notes', kind: 'custom', body: 'Text' } },
      { type: 'TaskPlanned', data: { taskId: '1', title: 'Do it' } },
    ]);
    expect(writeAdrMarkdown({ document, baseline: null, sources: [] }).notCarried).toEqual([
      'tasks',
      'confidence of decisions',
      'records',
    ]);
  });
});

describe('a context without decisions', () => {
  it('has no records, and the result states the reason', () => {
    const { document } = contextOf([]);
    expect(writeAdrMarkdown({ document, baseline: null, sources: [] })).toEqual({
      documents: [],
      notCarried: ['anything at all, because there is no decision to write a record of'],
    });
  });
});

/** The documents that are written for these events alone, and the context after they are imported. */
function writeAndImport(events: readonly ClientEvent[]) {
  const { document } = contextOf(events);
  const { documents } = writeAdrMarkdown({ document, baseline: null, sources: [] });
  return { documents, document: contextOf(clientEventsOf(readAdrMarkdown(documents))).document };
}

describe('texts of the state in new records', () => {
  it('add no sections because of the titles of their records', () => {
    const { document } = writeAndImport([
      { type: 'DecisionRecorded', data: { decisionId: 'ADR-0001', decision: 'Use A', topic: 'T' } },
      {
        type: 'RecordAppended',
        data: { recordId: 'ADR-0001.x', kind: 'custom', title: 'T: Decision', body: 'Use B' },
      },
    ]);
    expect(document.decisionHistory.map(({ decision }) => decision)).toEqual(['Use A']);
    const texts = document.records.filter(({ body }) => body !== undefined);
    expect(texts.map(({ title, body }) => [title, body])).toEqual([['T: Decision', 'Use B']]);
  });

  it('add no members of front matter because of their names', () => {
    const fields = { 'x: y\nstatus: rejected\n---\n# A': 'z', 'Status\n': 'rejected' };
    const { document, documents } = writeAndImport([
      { type: 'DecisionRecorded', data: { decisionId: 'ADR-0001', decision: 'Use A', topic: 'T' } },
      { type: 'RecordAppended', data: { recordId: 'ADR-0001.details', kind: 'custom', fields } },
    ]);
    expect(documents[0]?.text).toContain('x y status rejected --- A: z\n');
    expect(document.decisionHistory.map(({ status }) => status)).toEqual(['live']);
  });

  it('add no options because of the arguments for another one', () => {
    const pros = ['Good, because of\n ### Option C'];
    const alternativesConsidered = [
      { option: 'A', pros },
      { option: 'B', cons: ['Bad, because'] },
    ];
    const { document } = writeAndImport([
      {
        type: 'DecisionRecorded',
        data: { decisionId: 'ADR-0001', decision: 'Use A', alternativesConsidered },
      },
    ]);
    const [{ alternativesConsidered: read } = {}] = document.decisionHistory;
    expect(read).toMatchObject([{ option: 'A' }, { option: 'B' }]);
  });

  it.each(['# A\n---\n---', '```\n# open', '\\# A\n\\```', '## Decision\nNo\n===\n~~~'])(
    'are the same after an import: %j',
    (said) => {
      const decision = `Yes: ${said}`;
      const { document } = writeAndImport([
        { type: 'DecisionRecorded', data: { decisionId: 'ADR-0001', decision, rationale: said } },
      ]);
      expect(document.decisionHistory).toMatchObject([{ decision, rationale: said }]);
    },
  );
});

const blocks = fc.constantFrom(
  '---\n',
  'status: accepted\n',
  'status: superseded by [2](0002-b.md)\n',
  'deciders: a, admin\n',
  '# 1. Title\n',
  '# Title\r\n',
  '## Status\n',
  '## Decision\n',
  '## Context\n',
  '### Consequences\n',
  'Accepted\n',
  'Superseded by [b](0002-b.md)\n',
  'Supersedes ADR-0001\n',
  '❌ Rejected\n',
  'Draft\n',
  '## Considered Options\n',
  '## Pros and Cons of the Options\n',
  '### Option\n',
  '* Good, because\n',
  '* Option\n',
  '  more\n',
  '\n',
  '## \n',
  '## Other\n',
  '## Links\n',
  '* Supersedes [c](0003-c.md)\n',
  '```\n',
  '===\n',
  'Date: 2024-02-30\n',
  '* Status: proposed\n',
  'Text\r',
  '\uFEFF',
  '<!-- x -->\n',
  'In the context of x, facing y, we decided for z and neglected w, accepting that v.\n',
  '\u200B\n',
);
const text = fc.oneof(
  fc.array(blocks, { maxLength: 24 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const names = ['0001-a.md', '0002-b.md', '0003-c.md', 'README.md'];

const values = fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.array(fc.integer())));

describe('any texts', () => {
  it('are read as valid events, and are written byte for byte', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: names.length }), (texts) => {
        const documents = texts.map((each, at) => ({ name: names[at] ?? '', text: each }));
        expect(importAndWrite(documents).documents).toEqual(documents);
      }),
      { numRuns: 300 },
    );
  });

  it('of decisions are read as they were written', () => {
    fc.assert(
      fc.property(text, text, values, (decision, rationale, tradeOffs) => {
        fc.pre(clientEvent.safeParse({ type: 'DecisionRecorded', data: { decision } }).success);
        const data = { decisionId: 'ADR-0001', decision: `Yes: ${decision}`, rationale };
        const { document } = contextOf([
          { type: 'DecisionRecorded', data: { ...data, tradeOffs } },
        ]);
        const { documents } = writeAdrMarkdown({ document, baseline: null, sources: [] });
        const { events } = readAdrMarkdown(documents);
        expect(events.filter(({ event }) => event.type === 'DecisionRecorded')).toHaveLength(1);
        expect(importAndWrite(documents).documents).toEqual(documents);
      }),
      { numRuns: 200 },
    );
  });
});
