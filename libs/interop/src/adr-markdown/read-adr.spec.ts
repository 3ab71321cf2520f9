import { clientEvent } from '#shared-context';

import { readAdrMarkdown } from './read-adr.js';

type DecisionData = Readonly<Record<string, unknown>>;

function read(...documents: readonly (readonly [name: string, text: string])[]) {
  const reading = readAdrMarkdown(documents.map(([name, text]) => ({ name, text })));
  const of = (type: string) => reading.events.filter(({ event }) => event.type === type);
  return {
    reading,
    decisions: of('DecisionRecorded').map(({ event }): DecisionData => event.data),
    records: of('RecordAppended').map(({ event }): DecisionData => event.data),
    notes: reading.notes.map(({ document, line, detail }) => `${document}:${line} ${detail}`),
  };
}

const withStatus = (status: string) => `# T\n\n## Status\n\n${status}\n\n## Decision\n\nYes.\n`;

const madr = `---
status: "accepted"
date: 2024-5-1
decision-makers: [@ann, Bob]
tags: storage
---

# 7. Use **PostgreSQL**

## Context and Problem Statement

We need a store.

## Decision Drivers

* Durability

## Considered Options

* PostgreSQL
* Files

## Decision Outcome

Chosen option: "PostgreSQL", because it is durable.

### Consequences

* Bad, because it is one more server

### Confirmation

A test restarts it.

## Pros and Cons of the Options

### PostgreSQL

<https://postgresql.org>

* Good, because it is known
  to all of us
* Bad, because it is large

### Files

Pros:

* Simple

## Rollout

In May.
`;

describe('a record in the format of MADR', () => {
  const { reading, decisions, records, notes } = read(['docs/adr/0007-store.md', madr]);

  it('becomes a decision with its reasons, options and consequences', () => {
    expect(decisions).toEqual([
      {
        decisionId: 'ADR-0007',
        decision: expect.stringContaining('Chosen option: "PostgreSQL", because it is durable.'),
        rationale: 'We need a store.\n\n**Decision Drivers**\n\n* Durability',
        alternativesConsidered: [
          {
            option: 'PostgreSQL',
            description: '<https://postgresql.org>',
            pros: ['Good, because it is known\n  to all of us'],
            cons: ['Bad, because it is large'],
          },
          { option: 'Files', pros: ['Simple'] },
        ],
        tradeOffs: expect.stringContaining('* Bad, because it is one more server'),
        date: '2024-05-01',
      },
    ]);
    expect(notes).toEqual([]);
  });

  it('has records for its people, tags and other sections', () => {
    expect(reading.events[0]?.origin).toEqual({
      agentId: 'ann',
      timestamp: '2024-05-01T00:00:00Z',
    });
    expect(records).toEqual([
      {
        recordId: 'ADR-0007.details',
        kind: 'custom',
        title: 'Use PostgreSQL: Details',
        fields: { title: 'Use PostgreSQL', 'decision-makers': ['ann', 'Bob'], tags: 'storage' },
      },
      {
        recordId: 'ADR-0007.rollout',
        kind: 'custom',
        title: 'Use PostgreSQL: Rollout',
        body: 'In May.',
      },
    ]);
    const [document] = reading.documents;
    expect(document?.pieces.map(({ text }) => text).join('')).toBe(madr);
    expect(document?.pieces.at(-1)).toEqual({
      text: '## Rollout\n\nIn May.\n',
      items: ['record:ADR-0007.rollout'],
    });
  });
});

describe('a status', () => {
  it.each([
    ['✅ Accepted', {}],
    ['**Approved** by all', {}],
    ['🤔 Proposed', { requiresApproval: true }],
    ['not accepted', { rejected: true }],
    ['❌ Rejected (see [019](019-x.md))', { rejected: true }],
    ['Deprecated', { deprecated: true }],
    ['Superseded by [ADR-0009](0009-x.md)', { deprecated: true }],
    ['strange', { requiresApproval: true }],
  ])('%j becomes %j', (status, expected) => {
    const [decision] = read(['0001-t.md', withStatus(status)]).decisions;
    expect(decision).toEqual({ decisionId: 'ADR-0001', decision: 'Yes.', ...expected });
  });

  it('of log4brains is read from a list, with people and date', () => {
    const text =
      '# T\n\n- Status: draft\n- Deciders: Ann\n- Date: 2021-01-13\n\n## Decision\n\nYes.\n';
    const { reading, decisions } = read(['20210112-t.md', text]);
    expect(decisions).toMatchObject([
      { decisionId: '20210112-t', requiresApproval: true, date: '2021-01-13' },
    ]);
    expect(reading.events[0]?.origin?.agentId).toBe('Ann');
  });

  it('is accepted if it is absent', () => {
    const [decision] = read(['0001-t.md', '# T\n\n## Decision\n\nYes.\n']).decisions;
    expect(decision).toEqual({ decisionId: 'ADR-0001', decision: 'Yes.' });
  });
});

describe('records that supersede each other', () => {
  it.each([
    ['Superseded by [2](0002-b.md)', 'Accepted'],
    ['Superceded by [2. B](0002-b.md)', 'Accepted\n\nSupercedes [1. A](0001-a.md)'],
    ['Accepted', 'Accepted\n\nSupersedes ADR-0001'],
    ['Deprecated (Replaced by ADR #0002)', 'Accepted'],
  ])('are ordered if either record states the link: %j and %j', (old, now) => {
    const { decisions, notes } = read(
      ['0002-b.md', withStatus(now)],
      ['0001-a.md', withStatus(old)],
    );
    expect(decisions).toEqual([
      { decisionId: 'ADR-0001', decision: 'Yes.' },
      { decisionId: 'ADR-0002', decision: 'Yes.', supersedes: 'ADR-0001' },
    ]);
    expect(notes).toEqual([]);
  });

  it('in a cycle lose one link, with a note', () => {
    const { decisions, notes } = read(
      ['0001-a.md', withStatus('Superseded by [2](0002-b.md)')],
      ['0002-b.md', withStatus('Superseded by [1](0001-a.md)')],
    );
    expect(decisions.filter(({ supersedes }) => supersedes !== undefined)).toHaveLength(1);
    expect(notes.join('\n')).toContain('supersede each other');
  });

  it('replace one decision each; a second one becomes deprecated and related', () => {
    const { decisions, notes } = read(
      ['0001-a.md', withStatus('Superseded by ADR-0003')],
      ['0002-b.md', withStatus('Superseded by ADR-0003')],
      ['0003-c.md', withStatus('Accepted, amended by [ADR-0004](0004-d.md)')],
    );
    expect(decisions).toEqual([
      { decisionId: 'ADR-0001', decision: 'Yes.' },
      { decisionId: 'ADR-0002', decision: 'Yes.', deprecated: true },
      {
        decisionId: 'ADR-0003',
        decision: 'Yes.',
        supersedes: 'ADR-0001',
        relatedDecisions: [{ decisionId: 'ADR-0002', relation: 'relates' }],
      },
    ]);
    expect(notes).toEqual([
      '0002-b.md:5 "ADR-0003" supersedes "ADR-0002" becomes a relation: "ADR-0003" supersedes "ADR-0001" already, and can supersede only one decision',
      '0002-b.md:5 is recorded as deprecated: no decision of this import can supersede it',
      '0003-c.md:5 the link (relates) to "0004-d.md" stays text: it leads to no record of this import',
    ]);
  });
});

describe('a folder', () => {
  it('can have documents that are not records, and records without a section for the decision', () => {
    const { reading, decisions, notes } = read(
      ['adr/README.md', '# Index\n\n* [1](0001-a.md)\n'],
      ['adr/template.md', madr],
      ['adr/0001-a.md', '# Use queues\n\nThey are fast.\n'],
    );
    expect(reading.contextId).toBe('adr');
    expect(decisions).toEqual([
      { decisionId: 'ADR-0001', decision: 'Use queues', rationale: 'They are fast.' },
    ]);
    expect(notes).toEqual([
      'adr/README.md:1 is not a decision record',
      'adr/template.md:1 is not a decision record',
      'adr/0001-a.md:1 has no section for the decision: its title is used instead',
    ]);
    expect(reading.documents[0]?.pieces.every(({ items }) => items.length === 0)).toBe(true);
  });

  it('gives records of the same number different ids', () => {
    const { decisions } = read(
      ['0001-a.md', '# A'],
      ['0001-b.md', '# B'],
      ['x/README.md', '# C\n\n## Decision\n\nC'],
    );
    expect(decisions.map(({ decisionId }) => decisionId)).toEqual([
      'ADR-0001',
      'ADR-0001-0001-b',
      'x',
    ]);
  });

  it('gives valid ids, also for long names and headings', () => {
    const long = 'x'.repeat(400);
    const text = `---\nid: ${'i'.repeat(80)}\n---\n# T\n\n## ${long}\n\nText.\n\n## Decision\n\nYes.\n`;
    const { reading } = read([`a/${long}.md`, text], [`b/${long}.md`, text]);
    expect(reading.events).toHaveLength(6);
    for (const { event } of reading.events)
      expect(clientEvent.safeParse(event).error).toBeUndefined();
  });

  it('stores the sections after the first 50,000 as text', () => {
    const text = `# 1. T\n\n## Decision\n\nYes.\n\n${'## Note\n\nText\n\n'.repeat(50_002)}`;
    const { reading, records, notes } = read(['0001-t.md', text]);
    expect(records.filter(({ body }) => body === 'Text')).toHaveLength(50_000);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toContain('"Note" is after the first 50000 sections: only these become items');
    expect(reading.documents[0]?.pieces.map((piece) => piece.text).join('')).toBe(text);
  });

  it('names no agent like a principal', () => {
    const { reading, notes } = read(['0001-a.md', '# A\n\nAuthor: admin\n\n## Decision\n\nA']);
    expect(reading.events[0]?.origin).toBeUndefined();
    expect(notes).toEqual([
      '0001-a.md:1 "admin" cannot be the id of an agent: the decision has no claimed author',
    ]);
  });
});

it('a Y-statement states the decision, the neglected option and the accepted effect', () => {
  const said =
    'In the context of the shop, facing load, we decided for queues and neglected polling, to achieve speed, accepting that order is lost.';
  expect(read(['0001-q.md', `# Queues\n\n${said}\n`]).decisions).toEqual([
    {
      decisionId: 'ADR-0001',
      decision: said,
      alternativesConsidered: [{ option: 'polling' }],
      tradeOffs: 'order is lost',
    },
  ]);
});
