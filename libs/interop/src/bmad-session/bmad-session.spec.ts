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
import { bmadSessionFormat } from './bmad-session.format.js';

const session = `{
  "session_id": "bmad-session-1",
  "project_metadata": { "name": "Market", "workflow_type": "standard", "created_at": "2026-01-05T08:00:00Z" },
  "workflow_state": { "current_step": 1, "completed_steps": ["analysis"], "overall_quality_score": 7.7 },
  "agent_contexts": {
    "analyst": {
      "status": "completed",
      "execution_start": "2026-01-05T08:10:00Z",
      "execution_end": "2026-01-05T09:00:00Z",
      "outputs": {
        "project_brief": {
          "file_reference": "artifacts/project-brief.md",
          "structured_data": { "problem_statement": "None knows", "core_features": ["a", "b"] },
          "quality_metrics": { "clarity_score": 8, "overall_score": 7.7 }
        }
      },
      "validation_results": [{ "ok": true }],
      "retries": 1
    },
    "pm": {
      "status": "in_progress",
      "execution_start": "2026-01-05T09:05:00Z",
      "inputs": { "required": ["analyst.outputs.project_brief"], "optional": ["global_context.technical_preferences"] }
    },
    "qa": { "status": "failed", "error": "No environment" },
    "developer": { "status": "pending", "outputs": { "implementation": { "file_references": ["src/"] } } }
  },
  "global_context": {
    "project_constraints": { "budget_level": "startup", "team_size": 4 },
    "quality_standards": { "minimum_test_coverage": 80, "code_quality_threshold": 8.0 }
  },
  "validation_history": [{ "agent": "analyst", "passed": true }],
  "decision_log": [
    { "id": "D1", "agent": "analyst", "timestamp": "2026-01-05T08:30:00Z", "decision": "Web first", "reason": "Reach" },
    "The call with the owner was on Monday"
  ],
  "owner": "Ann"
}
`;

const rules = `
validation_rules:
  analyst:
    inputs:
      user_specification:
        required: true
        min_length: 50
        must_contain: ["problem", "solution", "users"]
  pm:
    inputs:
      analyst_project_brief:
        required: true
        required_sections: ["problem_statement", "target_users"]
        quality_threshold: 6.0
  ux_expert:
    inputs:
      target_users:
        source: "analyst.outputs.project_brief.structured_data.target_users"
        min_count: 1
transformations:
  complexity_scoring:
    trigger: "analyst_completion"
    inputs:
      - "analyst.outputs.project_brief.structured_data.core_features"
      - "analyst.outputs.project_brief.structured_data.target_users"
    algorithm: |
      feature_complexity = len(core_features) * 2
      user_complexity = len(target_users) * 1.5
      complexity_score = (feature_complexity + user_complexity) / 3
    output: "project_metadata.complexity_score"
  workflow_adaptation:
    trigger: "complexity_scoring_completion"
    logic: |
      if complexity_score <= 4:
        workflow_type = "simplified"
        skip_steps = ["optional_architectural_review"]
      elif complexity_score <= 7:
        workflow_type = "standard"
      else:
        workflow_type = "comprehensive"
  propagation:
    trigger: "analyst_completion"
    source: "analyst.outputs.project_brief.structured_data.technical_constraints"
    destinations:
      - "architect.inputs.technical_constraints"
      - "global_context.technical_preferences.constraints"
  user_persona_enrichment:
    trigger: "pm_completion"
    inputs: ["analyst.outputs.project_brief.structured_data.target_users"]
    transformation: |
      for user_type in target_users:
        enriched_personas.append(user_type)
    output: "ux_expert.inputs.enriched_personas"
agent_context_injection: |
  {{#if analyst.completed}}
`;

const read = (text: string, name = 'session.json') =>
  bmadSessionFormat.read?.([{ name, text }], {}) as DocumentReading;

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
  return bmadSessionFormat.write?.(context).documents[0]?.text ?? '';
}

function writeBack(reading: DocumentReading, document: ContextDocument): string {
  const before = imported(reading);
  const sources = reading.documents.map((source) => ({ ...source, removed: [], before }));
  return write({ document, baseline: baselineOf(reading), sources });
}

const event = (type: string, data: object) => clientEvent.parse({ type, data });
const json = (text: string) =>
  JSON.parse(text) as JsonObject & Record<'agent_contexts', JsonObject>;

describe('a session', () => {
  const reading = read(session);
  const document = imported(reading);

  it('becomes a context with outputs, scores and decisions', () => {
    expect(document).toMatchObject({
      title: 'Market',
      metadata: { workflow_type: 'standard' },
      agents: {
        analyst: {
          status: 'completed',
          executionStart: '2026-01-05T08:10:00Z',
          outputs: { project_brief: { stepId: 'analyst.project_brief' } },
        },
        pm: { status: 'in_progress' },
        qa: { status: 'failed' },
      },
      stepOutputs: {
        'analyst.project_brief': { structured_data: { core_features: ['a', 'b'] } },
      },
      quality: { overallScore: 7.7 },
      artifactReferences: [{ path: 'artifacts/project-brief.md', stepId: 'analyst.project_brief' }],
      globalContext: {
        project_constraints: { team_size: 4 },
        workflow_state: { current_step: 1 },
        session: { owner: 'Ann' },
      },
      decisionHistory: [{ decisionId: 'D1', agentId: 'analyst', rationale: 'Reach' }],
      records: [{ recordId: 'decision-2', body: 'The call with the owner was on Monday' }],
    });
    expect(document.agents).not.toHaveProperty('developer');
    expect(baselineOf(reading)).toEqual({
      counters: {},
      history: {
        agent_contexts: { analyst: { validation_results: [{ ok: true }], retries: 1 } },
        validation_history: [{ agent: 'analyst', passed: true }],
      },
    });
  });

  it('is written byte for byte, with its rules', () => {
    const both = [
      { name: 'session.json', text: session },
      { name: 'rules.yaml', text: rules },
    ];
    const together = bmadSessionFormat.read?.(both, {}) as DocumentReading;
    const before = imported(together);
    const sources = together.documents.map((source) => ({ ...source, removed: [], before }));
    const written = bmadSessionFormat.write?.({ document: before, baseline: null, sources });
    expect(written?.documents).toEqual(both);
    expect(written?.notCarried).toEqual(['hashes', 'receipts', 'records', 'artifacts']);
  });

  it('shows later events, and leaves everything else unchanged', () => {
    const more = [
      event('StepOutputAdded', { stepId: 'prd', name: 'prd', output: { structured_data: {} } }),
      event('GlobalContextSet', { values: { project_constraints: { team_size: 5 } } }),
      event('GlobalContextSet', { values: { workflow_state: { current_step: 2 } } }),
      event('DecisionRecorded', { decision: 'One region' }),
    ];
    const then = json(session);
    expect(json(writeBack(reading, imported(reading, more)))).toEqual({
      ...then,
      workflow_state: {
        current_step: 2,
        completed_steps: ['analysis'],
        overall_quality_score: 7.7,
      },
      agent_contexts: {
        ...then.agent_contexts,
        tester: expect.objectContaining({
          status: 'completed',
          outputs: { prd: { structured_data: {} } },
        }),
      },
      global_context: expect.objectContaining({
        project_constraints: { budget_level: 'startup', team_size: 5 },
      }),
      decision_log: [
        ...(then['decision_log'] as JsonObject[]),
        expect.objectContaining({ decision: 'One region' }),
      ],
    });
  });

  it('is written from a context that was not imported, and can be read again', () => {
    const first = write({ document, baseline: baselineOf(reading), sources: [] });
    const again = read(first);
    const second = write({ document: imported(again), baseline: baselineOf(again), sources: [] });
    const others = { ...json(first), agent_contexts: expect.anything() };
    expect(json(second)).toMatchObject(others);
    expect(imported(again).stepOutputs).toEqual(document.stepOutputs);
  });

  it('registers agents and transformations, and notes the parts that cannot run', () => {
    const both = [
      { name: 'session.json', text: session },
      { name: 'rules.yaml', text: rules },
    ];
    const { registrations, notes } = bmadSessionFormat.read?.(both, {}) as DocumentReading;
    const brief = 'analyst.outputs.project_brief';
    expect(registrations?.agents.map(({ agentId, definition }) => [agentId, definition])).toEqual([
      [
        'pm',
        {
          name: 'pm',
          role: 'pm',
          kind: 'llm',
          contract: {
            inputs: {
              technical_preferences: {
                path: 'global_context.technical_preferences',
                required: false,
              },
              analyst_project_brief: {
                path: brief,
                required: true,
                qualityThreshold: 6,
                requiredSections: ['problem_statement', 'target_users'],
              },
            },
          },
        },
      ],
      [
        'ux_expert',
        expect.objectContaining({
          contract: {
            inputs: {
              target_users: { path: `${brief}.structured_data.target_users`, minCount: 1 },
            },
          },
        }),
      ],
    ]);
    expect(registrations?.transformations).toMatchObject([
      {
        transformationId: 'complexity_scoring',
        definition: {
          trigger: { agent: 'analyst' },
          sources: { core_features: `${brief}.structured_data.core_features` },
          operation: {
            kind: 'score',
            expression: expect.stringContaining('len(core_features) * 2'),
          },
          destinations: ['project_metadata.complexity_score'],
        },
      },
      {
        transformationId: 'workflow_adaptation',
        definition: {
          trigger: { transformation: 'complexity_scoring' },
          sources: { complexity_score: 'project_metadata.complexity_score' },
          operation: {
            kind: 'select',
            by: 'complexity_score',
            ranges: [
              { upTo: 4, value: { workflow_type: 'simplified' } },
              { upTo: 7, value: { workflow_type: 'standard' } },
              { value: { workflow_type: 'comprehensive' } },
            ],
          },
        },
      },
      { transformationId: 'propagation', definition: { operation: { kind: 'propagate' } } },
    ]);
    const leftOut = notes.filter(({ kind }) => kind === 'left-out');
    expect(leftOut.map(({ document: file, line, pointer }) => [file, line, pointer])).toEqual([
      ['rules.yaml', 6, '/validation_rules/analyst/inputs/user_specification'],
      ['rules.yaml', 48, '/transformations/user_persona_enrichment'],
      ['rules.yaml', 54, '/agent_context_injection'],
    ]);
  });

  it.each([
    ['rules.yaml', 'a: [1', 'rules.yaml:1'],
    ['rules.yaml', 'a: 1\na: 2', 'rules.yaml:2'],
    ['rules.yaml', '[]', 'expected an object'],
    ['rules.yaml', '['.repeat(500_000), 'rules.yaml:1'],
  ])('is refused with %s as %#', (name, text, words) => {
    const documents = [
      { name: 'session.json', text: session },
      { name, text },
    ];
    expect(() => bmadSessionFormat.read?.(documents, {})).toThrow(words);
  });

  it('is refused without a session, or as another document', () => {
    expect(() => read('a: 1', 'rules.yaml')).toThrow('found no session in JSON');
    expect(() => read('{"feature_id":"f"}')).toThrow('this is not a session');
  });
});

describe('any session', () => {
  const names = fc.constantFrom(
    'analyst',
    'pm',
    'admin',
    'status',
    'outputs',
    'inputs',
    'required',
    'execution_start',
    'file_reference',
    'structured_data',
    'quality_metrics',
    'overall_score',
    'decision',
    'id',
    'retries',
    'validation_results',
    'workflow_state',
    'session',
    'name',
    '__proto__',
    '',
  );
  const members = fc.constantFrom(
    'session_id',
    'project_metadata',
    'workflow_state',
    'agent_contexts',
    'global_context',
    'validation_history',
    'decision_log',
    'others',
  );
  const words = fc.constantFrom(
    '',
    'a',
    'completed',
    'failed',
    'in_progress',
    'pending',
    'x~2',
    '2026-01-05T08:00:00Z',
    'analyst.outputs.brief',
    'https://example.com/a',
    '\n',
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
    .tuple(fc.dictionary(members, value, { maxKeys: 8 }), fc.constantFrom(undefined, '\t', 2))
    .map(([parts, indent]) => JSON.stringify({ session_id: 's', ...parts }, null, indent));

  it('becomes a context and is written byte for byte', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const reading = read(text);
        expect(reading.documents[0]?.pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { event: planned } of reading.events)
          if (planned.type !== 'BaselineImported') clientEvent.parse(planned);
        expect(writeBack(reading, imported(reading))).toBe(text);
      }),
    );
  });

  it('has the same outputs after it was written and read again', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const reading = read(text);
        const document = imported(reading);
        const fresh = write({ document, baseline: baselineOf(reading), sources: [] });
        expect(Object.values(imported(read(fresh)).stepOutputs)).toEqual(
          expect.arrayContaining(Object.values(document.stepOutputs)),
        );
      }),
    );
  });

  it('is read or refused with a position, for any text', () => {
    const texts = fc.oneof(
      fc.string(),
      documents.map((text) => text.slice(0, -1)),
    );
    const name = fc.constantFrom('session.json', 'rules.yaml');
    fc.assert(
      fc.property(texts, name, (text, file) => {
        const documentsRead = [
          { name: 'main.json', text: '{"session_id":"s"}' },
          { name: file, text },
        ];
        try {
          bmadSessionFormat.read?.(
            file === 'rules.yaml' ? documentsRead : [{ name: file, text }],
            {},
          );
        } catch (error) {
          if (!(error instanceof DocumentError)) throw error;
        }
      }),
    );
  });
});
