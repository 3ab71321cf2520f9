import { type ClientEvent, type SourceDocument } from '#shared-context';

import { type DocumentReading, type PlannedEvent } from './document-format.js';
import { planRevision } from './revision-plan.js';

const place = { document: 'a.md', line: 1, pointer: '' };

function planned(item: string, event: ClientEvent): PlannedEvent {
  return { item, event, place };
}

function readingOf(text: string, ...events: readonly PlannedEvent[]): DocumentReading {
  const items = [...new Set(events.map(({ item }) => item))];
  return {
    contextId: 'a',
    creation: {},
    events,
    notes: [],
    documents: [{ name: 'a.md', pieces: [{ text, items }] }],
  };
}

function sourceOf(
  text: string,
  items: readonly string[],
  removed: readonly string[] = [],
): SourceDocument {
  return {
    format: 'f',
    name: 'a.md',
    sha256: '',
    parts: 1,
    version: 5,
    removed,
    pieces: [{ text, items }],
  };
}

const unchanged = { agreedAt: () => undefined, items: [] };
const inForce = { isLive: () => true, isPending: () => false, ...unchanged };
const waiting = { isLive: () => false, isPending: () => true, ...unchanged };

const task = planned('task:1', { type: 'TaskPlanned', data: { taskId: '1', title: 'Build' } });
const done = planned('task:1', { type: 'TaskCompleted', data: { taskId: '1' } });
const note = (body: string) =>
  planned('record:notes', {
    type: 'RecordAppended',
    data: { recordId: 'notes', kind: 'custom', body },
  });
const decision = (data: object) =>
  planned('decision:ADR-1', {
    type: 'DecisionRecorded',
    data: { decisionId: 'ADR-1', decision: 'Use it', ...data },
  });

function revise(
  before: readonly PlannedEvent[],
  after: readonly PlannedEvent[],
  decisions: Parameters<typeof planRevision>[2] = inForce,
) {
  const reading = readingOf('old', ...before);
  const [piece] = reading.documents[0]?.pieces ?? [];
  const sources = [sourceOf('old', piece?.items ?? [])];
  return planRevision(readingOf('new', ...after), { sources, reading }, decisions);
}

const eventsOf = (plan: Readonly<{ events: readonly PlannedEvent[] }>) =>
  plan.events.map(({ event }) => event);

describe('a document that is imported for the first time', () => {
  it('becomes all of its events, and is stored', () => {
    const plan = planRevision(readingOf('text', task, done), undefined, inForce);
    expect(eventsOf(plan)).toEqual([task.event, done.event]);
    expect(plan.documents).toEqual([
      { name: 'a.md', pieces: [{ text: 'text', items: ['task:1'] }], removed: [] },
    ]);
  });
});

describe('a document that is imported again', () => {
  it('adds nothing if it is the same', () => {
    const reading = readingOf('text', task, done);
    const sources = [sourceOf('text', ['task:1'])];
    const plan = planRevision(reading, { sources, reading }, inForce);
    expect(plan).toMatchObject({ events: [], documents: [], notes: [] });
  });

  it('adds only new statements', () => {
    expect(eventsOf(revise([task], [task, done]))).toEqual([done.event]);
    const renamed = planned('task:1', {
      type: 'TaskPlanned',
      data: { taskId: '1', title: 'Build it' },
    });
    expect(eventsOf(revise([task, done], [renamed, done]))).toEqual([renamed.event]);
  });

  it('restarts a task that it no longer marks as done', () => {
    expect(eventsOf(revise([task, done], [task]))).toEqual([
      { type: 'TaskStarted', data: { taskId: '1' } },
    ]);
  });

  it('sets only changed values, and removes absent ones', () => {
    const story = (values: object) =>
      planned('global:story', {
        type: 'GlobalContextSet',
        data: { values: { story: values } },
      } as ClientEvent);
    expect(
      eventsOf(
        revise(
          [story({ status: 'Draft', epic: 1, points: 3 })],
          [story({ status: 'Done', epic: 1 })],
        ),
      ),
    ).toEqual([
      { type: 'GlobalContextSet', data: { values: { story: { points: null, status: 'Done' } } } },
    ]);
  });

  it('replaces a changed record with another one, which its pieces name', () => {
    const plan = revise([note('old')], [note('new')]);
    expect(plan.events).toMatchObject([
      { item: 'record:notes~2', event: { data: { recordId: 'notes~2', body: 'new' } } },
    ]);
    expect(plan.documents).toEqual([
      {
        name: 'a.md',
        pieces: [{ text: 'new', items: ['record:notes~2'] }],
        removed: ['record:notes'],
        replaces: { sha256: '', parts: 1 },
      },
    ]);
    const third = planRevision(
      readingOf('newest', note('newest')),
      {
        sources: [sourceOf('new', ['record:notes~2'], ['record:notes'])],
        reading: readingOf('new', note('new')),
      },
      inForce,
    );
    expect(third.events).toMatchObject([{ event: { data: { recordId: 'notes~3' } } }]);
    expect(third.documents[0]?.removed).toEqual(['record:notes', 'record:notes~2']);
  });

  it('supersedes a decision in force with a changed one', () => {
    const changed = revise([decision({})], [decision({ decision: 'Use another' })]);
    expect(changed.events).toMatchObject([
      { event: { data: { decisionId: 'ADR-1~2', decision: 'Use another', supersedes: 'ADR-1' } } },
    ]);
    const ended = revise([decision({})], [decision({ decision: 'Use another' })], waiting);
    expect(ended.events[0]?.event.data).not.toHaveProperty('supersedes');
  });

  it('approves or rejects a pending decision if nothing else changed', () => {
    const proposed = decision({ requiresApproval: true });
    expect(eventsOf(revise([proposed], [decision({})], waiting))).toEqual([
      { type: 'DecisionApproved', data: { decisionId: 'ADR-1' } },
    ]);
    expect(eventsOf(revise([proposed], [decision({ rejected: true })], waiting))).toEqual([
      { type: 'DecisionRejected', data: { decisionId: 'ADR-1' } },
    ]);
  });

  it('stores with each piece the version since which its items differ', () => {
    const reading = readingOf('old', task, note('x'));
    const sources = [sourceOf('old', ['task:1', 'record:notes'])];
    const agreedAt = (item: string) => (item === 'task:1' ? 5 : undefined);
    const plan = planRevision(
      readingOf('new', task),
      { sources, reading },
      { ...inForce, agreedAt },
    );
    expect(plan.documents).toMatchObject([
      { pieces: [{ text: 'new', items: ['task:1'], agreedAt: 5 }] },
    ]);
  });

  it('reports removed items, and does not print them again', () => {
    const plan = revise([task, note('x')], [task]);
    expect(plan.events).toEqual([]);
    expect(plan.documents).toMatchObject([{ removed: ['record:notes'] }]);
    expect(plan.notes).toMatchObject([{ kind: 'changed', line: 1 }]);
  });
});

describe('an item that an agent created and an export printed', () => {
  const body = { recordId: '0192', kind: 'custom', body: 'Use\nargon2id' } as const;
  const items = [{ kind: 'record', key: '0192', body }];

  it('is the same item when the document returns with another id for it', () => {
    const plan = revise([task], [task, note('Use argon2id')], { ...inForce, items });
    expect(plan.events).toEqual([]);
    expect(plan.documents[0]?.pieces).toMatchObject([{ items: ['task:1', 'record:0192'] }]);
    const again = planRevision(
      readingOf('newest', task, done, note('Use argon2id')),
      {
        sources: [sourceOf('new', ['task:1', 'record:0192'])],
        reading: readingOf('new', task, note('Use argon2id')),
      },
      { ...inForce, items },
    );
    expect(eventsOf(again)).toEqual([done.event]);
    expect(again.documents[0]?.pieces).toMatchObject([{ items: ['task:1', 'record:0192'] }]);
    const changed = revise([], [note('Use scrypt')], { ...inForce, items });
    expect(changed.events).toMatchObject([{ item: 'record:notes' }]);
  });

  it('is not recorded again if its id and its text are the same except for white space', () => {
    const known = { decisionId: 'ADR-1', decision: 'Use  it', rationale: 'fast' };
    const plan = revise([], [decision({ rationale: 'It is fast.' })], {
      ...inForce,
      items: [{ kind: 'decision', key: 'ADR-1', body: known }],
    });
    expect(plan.events).toEqual([]);
  });

  it('keeps its id if a document gives that id to another item', () => {
    const known = { decisionId: 'ADR-1', decision: 'Use nothing' };
    const plan = revise([], [decision({})], {
      ...inForce,
      items: [{ kind: 'decision', key: 'ADR-1', body: known }],
    });
    expect(plan.events).toMatchObject([{ event: { data: { decisionId: 'ADR-1~2' } } }]);
  });

  it('is recorded as before by a repeated import, so that its appends stay the same', () => {
    const first = decision({}).event.data;
    const plan = revise([], [decision({})], {
      ...inForce,
      items: [{ kind: 'decision', key: 'ADR-1', body: JSON.parse(JSON.stringify(first)) }],
    });
    expect(plan.events).toHaveLength(1);
  });

  it('gets a check mark and keeps its kind', () => {
    const criterion = (met: boolean | undefined) =>
      planned('requirement:AC9', {
        type: 'RequirementRecorded',
        data: { requirementId: 'AC9', kind: 'functional', text: 'Fast', ...(met && { met }) },
      });
    const known = { requirementId: 'R-1', kind: 'non_functional', text: 'Fast' };
    const facts = { ...inForce, items: [{ kind: 'requirement', key: 'R-1', body: known }] };
    expect(revise([], [criterion(undefined)], facts).events).toEqual([]);
    expect(eventsOf(revise([], [criterion(true)], facts))).toEqual([
      { type: 'RequirementRecorded', data: { ...known, met: true } },
    ]);
  });
});
