import fc from 'fast-check';

import { type JsonObject } from '#event-sourcing';
import {
  type NewContextEvent,
  type RecordedContextEvent,
  ContextState,
  clientEvent,
  commandFromEvent,
  contextDecider,
  renderDocument,
} from '#shared-context';
import { recordContextEvent } from '#testing';

import { type ContextDocument, readContextDocument } from '../documents/context-document.js';
import {
  type ContextToWrite,
  type DocumentReading,
  type PlannedEvent,
} from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { sddContextFormat } from './sdd-context.format.js';

type Manifest = JsonObject &
  Readonly<
    Record<'completed_phases' | 'decisions' | 'handover_notes' | 'risks', readonly JsonObject[]>
  > &
  Readonly<Record<'current_state' | 'dependencies' | 'metrics', JsonObject>>;

const feature = `{
  "feature_id": "feature-001-auth",
  "feature_name": "User Authentication",
  "workflow_version": "1.0.0",
  "created_at": "2025-10-16T08:00:00Z",
  "updated_at": "2025-10-16T10:30:00Z",

  "current_state": {
    "phase": "l2_design", "active_agent": "sdd-pe", "active_task": "design-l2", "status": "in_progress"
  },
  "completed_phases": [
    { "phase": "requirements", "agent": "sdd-ba", "completed_at": "2025-10-16T08:15:00Z", "outputs": ["spec/requirements.md"] },
    { "phase": "l1_design", "agent": "sdd-architect", "completed_at": "2025-10-16T09:00:00Z", "iterations": 2, "outputs": [] }
  ],
  "iteration_counts": { "design_l1": 2, "design_l2": 0 },
  "circuit_breaker_status": {
    "design_l1": { "current": 2, "max": 3, "status": "ok" }
  },
  "handover_notes": [
    {
      "from": "sdd-ba",
      "to": "sdd-architect",
      "timestamp": "2025-10-16T08:15:00Z",
      "priority": "high",
      "note": "R-3.2 asks for horizontal scalability.",
      "related_artifacts": ["spec/requirements.md"],
      "action_items": ["decide how data is spread"]
    },
    { "note": "Design is done, please continue" }
  ],
  "decisions": [
    {
      "id": "DEC-001",
      "made_by": "sdd-architect",
      "timestamp": "2025-10-16T08:30:00Z",
      "decision": "Use services",
      "rationale": "R-3.2",
      "alternatives_considered": ["Modular monolith"],
      "trade_offs": "More to operate",
      "related_requirements": ["R-3.2"]
    },
    { "id": "DEC-002", "decision": "Use events", "related_decisions": ["DEC-001"], "cost": 3 }
  ],
  "review_history": [
    {
      "artifact": "design/l1.md",
      "iteration": 1,
      "reviewer": "sdd-ba",
      "status": "REJECTED_WITH_FEEDBACK",
      "timestamp": "2025-10-16T08:20:00Z",
      "key_issues": ["No caching"],
      "review_file": "review/l1.json"
    }
  ],
  "requirements_summary": {
    "functional": ["F-1: Login", "Logout"],
    "non_functional": ["R-3.2: 10K users"],
    "constraints": []
  },
  "dependencies": { "external": ["Redis"], "internal": ["user-service"], "blockers": ["No access to the account"] },
  "risks": [
    { "id": "RISK-001", "severity": "medium", "description": "Users are confused", "mitigation": "Feedback", "status": "mitigated" }
  ],
  "metrics": { "total_tasks": 4, "review_iterations": 2, "total_time_hours": 2.5, "estimated_completion": "2025-10-18" },
  "team": { "lead": "Ann" }
}
`;

const read = (text: string, name = 'context.json') =>
  sddContextFormat.read?.([{ name, text }], {}) as DocumentReading;

/** The context that a reading becomes after further events (`more`). Throws if a command is refused. */
function imported(reading: DocumentReading, more: readonly PlannedEvent['event'][] = []) {
  const events: RecordedContextEvent[] = [];
  let state = ContextState.from([]);
  const record = (made: readonly NewContextEvent[], origin: PlannedEvent['origin']) => {
    for (const event of made) {
      const { agentId, timestamp } = origin ?? {};
      const claimed =
        (agentId ?? timestamp) ? { origin: { system: 'file', agentId, timestamp } } : {};
      const recorded = recordContextEvent(event, events.length + 1, claimed as object);
      events.push(recorded);
      state = state.apply(recorded);
    }
  };
  record(
    contextDecider.decide({ type: 'CreateContext', data: reading.creation } as never, state),
    {},
  );
  const planned = [...reading.events, ...more.map((event) => ({ event, origin: undefined }))];
  for (const { event, origin } of planned) {
    const command =
      event.type === 'BaselineImported'
        ? ({ type: 'ImportBaseline', data: event.data } as const)
        : commandFromEvent(event, () => `made-${events.length}`);
    record(contextDecider.decide(command, state), origin);
  }
  const last = events.at(-1);
  const facts = {
    workspace: 'default',
    contextId: reading.contextId,
    version: events.length,
    lastModifiedAt: last?.recordedAt ?? '',
    lastModifiedBy: 'tester',
    size: { events: events.length, bytes: 0, tokens: 0 },
  };
  return readContextDocument(renderDocument([...state.values()], facts));
}

const baselineOf = ({ events }: DocumentReading) =>
  events.flatMap(({ event }) => (event.type === 'BaselineImported' ? [event.data] : []))[0] ?? null;

function write(context: ContextToWrite): string {
  return sddContextFormat.write?.(context).documents[0]?.text ?? '';
}

function writeBack(reading: DocumentReading, document: ContextDocument): string {
  const before = imported(reading);
  const sources = reading.documents.map((source) => ({ ...source, removed: [], before }));
  return write({ document, baseline: baselineOf(reading), sources });
}

const event = (type: string, data: object) => clientEvent.parse({ type, data });
const json = (text: string) => JSON.parse(text) as Manifest;

describe('a context.json', () => {
  const reading = read(feature);
  const document = imported(reading);

  it('becomes a context with all its history', () => {
    expect(reading.contextId).toBe('feature-001-auth');
    expect(document).toMatchObject({
      title: 'User Authentication',
      metadata: { workflow_version: '1.0.0', created_at: '2025-10-16T08:00:00Z' },
      currentState: {
        phase: 'l2_design',
        activeAgent: 'sdd-pe',
        activeTask: 'design-l2',
        // The document lists a blocker, so the stated status is not used.
        status: 'blocked',
      },
      completedPhases: [
        { phase: 'requirements', agent: 'sdd-ba', completedAt: '2025-10-16T08:15:00Z' },
        { phase: 'l1_design', agent: 'sdd-architect', outputs: [] },
      ],
      handoverNotes: [
        { handoverId: 'handover-1', from: 'sdd-ba', to: 'sdd-architect', priority: 'high' },
      ],
      records: [{ recordId: 'handover-2', kind: 'custom' }],
      decisionHistory: [
        {
          decisionId: 'DEC-001',
          agentId: 'sdd-architect',
          alternativesConsidered: ['Modular monolith'],
        },
        {
          decisionId: 'DEC-002',
          relatedDecisions: [{ decisionId: 'DEC-001', relation: 'relates' }],
        },
      ],
      reviewHistory: [{ reviewer: 'sdd-ba', keyIssues: [{ text: 'No caching' }] }],
      requirements: [
        { requirementId: 'F-1', text: 'Login' },
        { requirementId: 'functional-2', text: 'Logout' },
        { requirementId: 'R-3.2', kind: 'non_functional' },
      ],
      dependencies: {
        external: [{ name: 'Redis' }],
        internal: [{ name: 'user-service' }],
        blockers: [{ description: 'No access to the account' }],
      },
      risks: [{ riskId: 'RISK-001', status: 'mitigated' }],
      globalContext: { sdd: { team: { lead: 'Ann' } } },
    });
  });

  it('has a baseline of the numbers that its history does not explain', () => {
    expect(baselineOf(reading)).toEqual({
      counters: { totalTasks: 3, totalIterations: 2, reviewIterations: 1, totalTimeHours: 2.5 },
      history: {
        iteration_counts: { design_l1: 2, design_l2: 0 },
        circuit_breaker_status: { design_l1: { current: 2, max: 3, status: 'ok' } },
        phase_iterations: { l1_design: 2 },
        metrics: expect.objectContaining({ estimated_completion: '2025-10-18' }),
      },
    });
  });

  it('becomes events in the order of its times', () => {
    const history = reading.events.map(({ item }) => item);
    expect(history.slice(6, 12)).toEqual([
      'phase:requirements',
      'handover:handover-1',
      'record:handover-2',
      'review:review-1',
      'decision:DEC-001',
      'decision:DEC-002',
    ]);
  });

  it('has notes with the locations of members that stay text or are changed', () => {
    expect(reading.notes.map(({ line, pointer, kind }) => [line, pointer, kind])).toEqual([
      [42, '/decisions/1/cost', 'text'],
      [29, '/handover_notes/1', 'changed'],
      [65, '/team', 'changed'],
    ]);
  });

  it('is written byte for byte', () => {
    expect(writeBack(reading, document)).toBe(feature);
  });

  it.each(['\uFEFF', ''])(
    'preserves comments, trailing commas, line ends and %j at the beginning',
    (mark) => {
      const text = `${mark}// hand-written\r\n{ "feature_id": "a b", /* none */ "risks": [], }\r\n`;
      const odd = read(text);
      expect(odd.contextId).toBe('a-b');
      expect(writeBack(odd, imported(odd))).toBe(text);
      const risen = imported(odd, [
        event('RiskRaised', { riskId: 'r', severity: 'low', description: 'd' }),
      ]);
      expect(writeBack(odd, risen)).toContain('/* none */ "risks": [\r\n');
    },
  );

  it('shows later events, and leaves everything else unchanged', () => {
    const more = [
      event('PhaseCompleted', { phase: 'l2_design', outputs: ['design/l2.md'] }),
      event('IterationStarted', { subject: 'design_l1' }),
      event('IterationStarted', { subject: 'task_1' }),
      event('DecisionRecorded', {
        decision: 'Use Kafka',
        relatedDecisions: [{ decisionId: 'DEC-002', relation: 'implies' }],
      }),
      event('HandoverNoted', { to: 'sdd-le', note: 'Go on' }),
      event('BlockerCleared', { blockerId: 'blocker-1' }),
      event('RiskUpdated', { riskId: 'RISK-001', status: 'closed' }),
      event('RequirementRecorded', {
        requirementId: 'F-1',
        kind: 'functional',
        text: 'Login by mail',
      }),
      event('RequirementRecorded', {
        requirementId: 'C-1',
        kind: 'constraint',
        text: 'One region',
      }),
      event('GlobalContextSet', { values: { sdd: { team: { lead: 'Bob' } } } }),
    ];
    const text = writeBack(reading, imported(reading, more));
    const [then, now] = [json(feature), json(text)];
    expect(now).toEqual({
      ...then,
      updated_at: expect.any(String),
      current_state: { ...then['current_state'], phase: undefined, active_agent: 'sdd-pe' },
      completed_phases: [
        ...then['completed_phases'],
        expect.objectContaining({ phase: 'l2_design', outputs: ['design/l2.md'] }),
      ],
      iteration_counts: { design_l1: 3, design_l2: 0, task_1: 1 },
      circuit_breaker_status: {
        design_l1: { current: 3, max: 3, status: 'warning' },
        task_1: { current: 1, max: 3, status: 'ok' },
      },
      decisions: [
        ...then['decisions'],
        expect.objectContaining({ id: 'DEC-003', related_decisions: ['DEC-002'] }),
      ],
      handover_notes: [...then['handover_notes'], expect.objectContaining({ to: 'sdd-le' })],
      dependencies: { ...then['dependencies'], blockers: [] },
      risks: [{ ...then['risks'][0], status: 'closed' }],
      requirements_summary: {
        functional: ['F-1: Login by mail', 'Logout'],
        non_functional: ['R-3.2: 10K users'],
        constraints: ['C-1: One region'],
      },
      metrics: expect.objectContaining({ total_tasks: 4, total_iterations: 4 }),
      team: { lead: 'Bob' },
    });
    const lines = new Set(text.split('\n'));
    const kept = feature.split('\n').filter((line) => lines.has(line));
    expect(kept.length).toBeGreaterThan(50);
  });

  it('is written from a context that was not imported, and can be read again', () => {
    const first = write({ document, baseline: baselineOf(reading), sources: [] });
    const again = read(first);
    const second = write({ document: imported(again), baseline: baselineOf(again), sources: [] });
    const timeless = (text: string) => ({
      ...json(text),
      updated_at: '',
      metrics: { ...json(text)['metrics'], total_time_hours: 0 },
    });
    expect(timeless(second)).toEqual(timeless(first));
    expect(again.notes).toEqual([expect.objectContaining({ pointer: '/team' })]);
  });

  it('reports the content that it has no place for', () => {
    const carried = sddContextFormat.write?.({ document, baseline: null, sources: [] });
    expect(carried?.notCarried).toEqual([
      'hashes',
      'receipts',
      'records',
      'tasks but the active one',
    ]);
  });

  it.each([
    ['{ "feature_id": 1,\n "feature_id": 2 }', 'context.json:2, /feature_id'],
    ['{ "feature_id": "a"\n "risks": [] }', 'context.json:2: expected a comma'],
    ['', 'context.json:1'],
    ['[]', 'expected an object'],
    ['{ "name": "x" }', 'this is not a context.json of a feature'],
    [`{"feature_id": ${'['.repeat(100)}${']'.repeat(100)}}`, 'nested deeper than 56 levels'],
  ])('is refused as %j', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });

  it('stores as text a member that is too large for an event', () => {
    const text = JSON.stringify({ feature_id: 'f', notes: 'x'.repeat(1_100_000) });
    const large = read(text);
    expect(large.events).toEqual([]);
    expect(large.notes).toMatchObject([{ pointer: '/notes', kind: 'text' }]);
    expect(writeBack(large, imported(large))).toBe(text);
  });

  it('stores as text everything after 50,000 items, and omits notes after 10,000', () => {
    const blockers = Array.from({ length: 60_100 }, () => 'b');
    const text = JSON.stringify({ feature_id: 'f', dependencies: { blockers } });
    const { events, documents, notes } = read(text);
    expect(events).toHaveLength(50_000);
    expect(documents[0]?.pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(notes).toHaveLength(10_001);
    expect(notes[0]).toMatchObject({
      pointer: '/dependencies/blockers/50000',
      detail: 'is after the first 50000 items: only these become events',
    });
    expect(notes.at(-1)?.detail).toBe('100 more notes are omitted');
  });

  it('leaves members of another type than that of the format unchanged', () => {
    const odd = read('{ "feature_id": "f", "current_state": "draft", "dependencies": [1] }');
    const more = [event('PhaseStarted', { phase: 'build' })];
    const blocked = [event('RiskRaised', { riskId: 'r', severity: 'low', description: 'd' })];
    expect(json(writeBack(odd, imported(odd, blocked)))).toMatchObject({ current_state: 'draft' });
    expect(json(writeBack(odd, imported(odd, more)))['dependencies']).toEqual([1]);
  });

  it('reads a resolved blocker as a cleared one', () => {
    const over = read(
      '{"feature_id":"f","dependencies":{"blockers":[{"description":"d","status":"resolved"}]}}',
    );
    expect(imported(over).dependencies.blockers).toMatchObject([{ status: 'cleared' }]);
  });

  it('adds no item again that the file has as a revision', () => {
    const text = '{ "feature_id": "f", "decisions": [{ "id": "D", "decision": "new" }] }';
    const revised = read(text);
    const before = imported(read(text.replace('new', 'old')), [
      event('DecisionRecorded', { decisionId: 'D~2', decision: 'new' }),
    ]);
    const pieces = (revised.documents[0]?.pieces ?? []).map((piece) => ({
      ...piece,
      items: piece.items.map((item) => (item === 'decision:D' ? 'decision:D~2' : item)),
    }));
    const sources = [{ name: 'context.json', pieces, removed: [], before }];
    expect(write({ document: before, baseline: null, sources })).toBe(text);
  });

  it('stores reserved names, other times and large numbers as text', () => {
    const odd = read(
      `{ "feature_id": "f", "metrics": { "n": 12345678901234567890 },
      "decisions": [{ "id": "d~2", "made_by": "admin", "timestamp": "yesterday", "decision": "x" }] }`,
    );
    expect(odd.notes.map(({ pointer }) => pointer)).toEqual([
      '/metrics/n',
      '/decisions/0/id',
      '/decisions/0/made_by',
      '/decisions/0/timestamp',
    ]);
    expect(odd.events[0]).toMatchObject({ item: 'decision:decision-1', origin: undefined });
    expect(imported(odd).decisionHistory).toHaveLength(1);
  });
});

describe('any document', () => {
  const words = fc.constantFrom(
    '',
    'a',
    'F-1: Login',
    'DEC-001',
    'admin',
    'sdd-ba',
    'APPROVED',
    'high',
    'tripped',
    'blocked',
    '2025-10-16T08:00:00Z',
    'x~2',
    '\uD800',
    '\n',
    '__proto__',
    'medium',
    'rejected',
    'relates',
  );
  const names = fc.constantFrom(
    'id',
    'from',
    'to',
    'note',
    'decision',
    'made_by',
    'artifact',
    'status',
    'reviewer',
    'timestamp',
    'key_issues',
    'phase',
    'agent',
    'active_task',
    'completed_at',
    'iterations',
    'severity',
    'description',
    'functional',
    'constraints',
    'external',
    'internal',
    'blockers',
    'related_decisions',
    'supersedes',
    'outputs',
    'current',
    'max',
    'total_tasks',
    'odd',
  );
  const members = fc.constantFrom(
    'feature_id',
    'feature_name',
    'current_state',
    'completed_phases',
    'handover_notes',
    'iteration_counts',
    'circuit_breaker_status',
    'review_history',
    'requirements_summary',
    'decisions',
    'dependencies',
    'risks',
    'metrics',
    'created_at',
    'updated_at',
    'others',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(words, fc.integer({ min: -1, max: 4 }), fc.constantFrom(null, true, 2.5)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 8 }),
    ),
  }));
  const documents = fc
    .tuple(fc.dictionary(members, value, { maxKeys: 12 }), fc.constantFrom(undefined, '\t', 2))
    .map(([document, indent]) => JSON.stringify({ feature_id: 'f', ...document }, null, indent));

  const readOrRefuse = (text: string) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  };

  it('becomes a context and is written byte for byte', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const reading = read(text);
        const joined = reading.documents[0]?.pieces.map((piece) => piece.text).join('');
        expect(joined).toBe(text);
        for (const { event: planned } of reading.events)
          if (planned.type !== 'BaselineImported') clientEvent.parse(planned);
        expect(writeBack(reading, imported(reading))).toBe(text);
      }),
    );
  });

  it('is the same for a context after it was written and read again', () => {
    const again = (reading: DocumentReading) =>
      write({ document: imported(reading), baseline: baselineOf(reading), sources: [] });
    const timeless = (text: string) => {
      return { ...json(text), metrics: {}, updated_at: '' };
    };
    fc.assert(
      fc.property(documents, (text) => {
        const first = again(read(text));
        const second = again(read(first));
        expect(timeless(again(read(second)))).toEqual(timeless(second));
      }),
    );
  });

  it('stays JSON whose other lists are unchanged after events of some lists', () => {
    const more = [
      event('RiskRaised', { riskId: 'new', severity: 'low', description: 'd' }),
      event('DecisionRecorded', { decision: 'd' }),
      event('BlockerRaised', { blockerId: 'new', description: 'b' }),
    ];
    fc.assert(
      fc.property(documents, (text) => {
        const reading = read(text);
        const changed = json(writeBack(reading, imported(reading, more)));
        const [then, now] = [json(text), changed];
        for (const name of ['handover_notes', 'review_history', 'completed_phases', 'others'])
          expect(now[name]).toEqual(then[name]);
      }),
    );
  });

  it('is read, or refused with a location', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \n1-/*au\uFEFF') }),
      documents.map((text) => text.slice(0, -1)),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const reading = readOrRefuse(text);
        if (!reading) return;
        expect(writeBack(reading, imported(reading))).toBe(text);
      }),
    );
  });

  it.each([
    `{"feature_id":"f","risks":[${'1,'.repeat(50_000)}1]}`,
    `{"feature_id":"${' '.repeat(16_000_000)}"}`,
    `{"feature_id":"f","requirements_summary":{"functional":[${'"F-1: a",'.repeat(50_000)}"b"]}}`,
    `${' \n'.repeat(2_000_000)}`,
    `{"feature_id":"f",${Array.from({ length: 20_000 }, (_, at) => `"m${at}":${at}`).join()}}`,
    `{"feature_id":"f","completed_phases":[${'{"phase":"p"},'.repeat(10_000)}{}]}`,
    '['.repeat(16_000_000),
  ])('takes seconds if it is very large (%#)', (text) => {
    const from = process.cpuUsage().user;
    readOrRefuse(text);
    // In microseconds of this process alone, because others may take most of the wall-clock time.
    expect(process.cpuUsage().user - from).toBeLessThan(10_000_000);
  });
});
