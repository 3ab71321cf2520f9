import fc from 'fast-check';

import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import {
  contextCommands,
  contextFrom,
  jsonObject,
  jsonValue,
  oddNames,
  recordContextEvent,
} from '#testing';

import { type ContextCommand } from '../context.command.js';
import { decideContext } from '../context.decider.js';
import { renderDocument } from '../context.document.js';
import { NotExpressibleError } from '../context.errors.js';
import { type ContextState } from '../context-state.js';
import { member, mergePatch } from '../json.js';
import { differences } from './document.difference.js';

function allDifferences(...given: Parameters<typeof differences>): readonly ContextCommand[] {
  return allChanges(...given).map(({ command }) => command);
}

function allChanges(...[current, sent, id]: Parameters<typeof differences>) {
  const steps = differences(current, sent, id);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const facts = {
  workspace: 'w',
  contextId: 'c',
  version: 9,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 1, bytes: 1, tokens: 1 },
};

const newId = () => 'made';

const start: ContextCommand[] = [
  {
    type: 'CreateContext',
    data: {
      title: 'T',
      metadata: { team: 'web' },
      preferences: { tone: 'dry', limits: { lines: 200, files: 3 } },
      globalContext: { constraints: { offline: true, budget: 5 } },
    },
  },
  { type: 'AddStepOutput', data: { stepId: 'plan', output: { files: 2 } } },
  { type: 'RecordDecision', data: { topic: 'database', decision: 'Use PostgreSQL' } },
  {
    type: 'ReferenceArtifact',
    data: { artifactId: 'doc', artifactType: 'document', path: 'a.md', commit: 'c0' },
  },
  {
    type: 'RecordRequirement',
    data: { requirementId: 'R-1', kind: 'non_functional', text: '10,000 users' },
  },
  {
    type: 'RaiseRisk',
    data: { riskId: 'RISK-1', severity: 'high', description: 'stale reads', mitigation: 'm' },
  },
  { type: 'DeclareDependency', data: { name: 'Redis', kind: 'external' } },
  { type: 'RaiseBlocker', data: { blockerId: 'B-1', description: 'no sandbox' } },
  {
    type: 'RecordReview',
    data: { reviewId: 'REV-1', artifact: 'a.md', status: 'APPROVED', keyIssues: [{ text: 'i' }] },
  },
  { type: 'AppendRecord', data: { recordId: 'REC-1', kind: 'uat', body: 'b' } },
  {
    type: 'EmitSignal',
    data: { signal: 'REVIEW FAILED', subject: 's-1', detail: { reason: 'r' } },
  },
  { type: 'NoteHandover', data: { handoverId: 'H-1', to: 'sdd-pe', note: 'n' } },
  { type: 'PlanTask', data: { taskId: 'T-1', title: 'Model' } },
  { type: 'CompletePhase', data: { phase: 'l1', outputs: ['l1.md'] } },
  { type: 'StartIteration', data: { subject: 'l1' } },
  { type: 'RequestInput', data: { inputRequestId: 'IN-1', path: 'p', from: 'analyst' } },
];

function documentOf(state: ContextState): JsonObject {
  return renderDocument(state.values(), facts);
}

const { state } = contextFrom(start);
const current = documentOf(state);

function list(name: string): readonly JsonObject[] {
  return current[name] as unknown as readonly JsonObject[];
}

function pointersOf(sent: JsonObject): readonly string[] {
  try {
    allDifferences(current, sent, newId);
  } catch (error) {
    if (error instanceof NotExpressibleError) return error.issues.map(({ pointer }) => pointer);
    throw error;
  }
  return [];
}

describe('writing the whole document', () => {
  it.each([
    ['as it is', current],
    ['as a client re-encoded it', JSON.parse(JSON.stringify(current)) as JsonObject],
    ['without any member', {}],
  ])('returns no commands %s', (_, sent) => {
    expect(allDifferences(current, sent, newId)).toEqual([]);
  });

  it.each<[string, JsonObject, ContextCommand[]]>([
    [
      'preferences changed and removed',
      { userPreferences: { tone: null, limits: { lines: 100 }, colour: 'red' } },
      [
        {
          type: 'SetPreferences',
          data: { values: { tone: null, limits: { lines: 100 }, colour: 'red' } },
        },
      ],
    ],
    [
      'a preference removed inside another',
      { userPreferences: { limits: { files: null } } },
      [{ type: 'SetPreferences', data: { values: { limits: { files: null } } } }],
    ],
    [
      'global context without the members that are left out',
      { globalContext: { quality: [] } },
      [{ type: 'SetGlobalContext', data: { values: { quality: [] } } }],
    ],
    [
      'outputs that are null, for a step that has another one and for one that has none',
      { stepOutputs: { plan: null, build: null } },
      [
        { type: 'AddStepOutput', data: { stepId: 'plan', output: null } },
        { type: 'AddStepOutput', data: { stepId: 'build', output: null } },
      ],
    ],
    [
      'iterations of one loop without the others',
      { iterationCounts: { l2: 1 } },
      [{ type: 'StartIteration', data: { subject: 'l2' } }],
    ],
    [
      'a new decision without the known ones',
      { decisionHistory: [{ decision: 'Use zod' }] },
      [{ type: 'RecordDecision', data: { decision: 'Use zod' } }],
    ],
    [
      'a new signal without the known ones',
      { signals: [{ signal: 'REVIEW PASSED', subject: 's-1' }] },
      [{ type: 'EmitSignal', data: { signal: 'REVIEW PASSED', subject: 's-1' } }],
    ],
    [
      'a new dependency of each kind without the known ones',
      { dependencies: { external: [{ name: 'Kafka' }], internal: [{ name: 'Redis' }] } },
      [
        { type: 'DeclareDependency', data: { name: 'Kafka', kind: 'external' } },
        { type: 'DeclareDependency', data: { name: 'Redis', kind: 'internal' } },
      ],
    ],
    [
      'global context added to',
      { globalContext: { constraints: { offline: true, budget: 7 }, quality: [] } },
      [{ type: 'SetGlobalContext', data: { values: { constraints: { budget: 7 }, quality: [] } } }],
    ],
    [
      'step outputs changed and added',
      { stepOutputs: { plan: { files: 3 }, build: 'ok' } },
      [
        { type: 'AddStepOutput', data: { stepId: 'plan', output: { files: 3 } } },
        { type: 'AddStepOutput', data: { stepId: 'build', output: 'ok' } },
      ],
    ],
    [
      'a task started and one added',
      {
        tasks: [
          ...list('tasks').map((task) => ({ ...task, status: 'in_progress' })),
          { title: 'Tokens', dependsOn: ['T-1'] },
        ],
      },
      [
        { type: 'StartTask', data: { taskId: 'T-1' } },
        { type: 'PlanTask', data: { taskId: 'made', title: 'Tokens', dependsOn: ['T-1'] } },
      ],
    ],
    [
      'a task blocked',
      {
        tasks: list('tasks').map((task) => ({ ...task, status: 'blocked', reason: 'no schema' })),
      },
      [{ type: 'BlockTask', data: { taskId: 'T-1', reason: 'no schema' } }],
    ],
    [
      'a phase added',
      { completedPhases: [...list('completedPhases'), { phase: 'l2', agent: 'ada' }] },
      [{ type: 'CompletePhase', data: { phase: 'l2', agent: 'ada' } }],
    ],
    [
      'iterations counted',
      { iterationCounts: { l1: 3, l2: 1, l3: 0 } },
      [
        { type: 'StartIteration', data: { subject: 'l1' } },
        { type: 'StartIteration', data: { subject: 'l1' } },
        { type: 'StartIteration', data: { subject: 'l2' } },
      ],
    ],
    [
      'a decision added',
      { decisionHistory: [...list('decisionHistory'), { decision: 'Use zod' }] },
      [{ type: 'RecordDecision', data: { decision: 'Use zod' } }],
    ],
    [
      'a known decision stated in part',
      { decisionHistory: [{ decisionId: 'DEC-001', decision: 'Use PostgreSQL' }] },
      [],
    ],
    [
      'an artifact revised and one added',
      {
        artifactReferences: [
          { artifactId: 'doc', uri: 'x:y' },
          { artifactType: 'page', uri: 'x:z' },
        ],
      },
      [
        {
          type: 'ReferenceArtifact',
          data: { artifactId: 'doc', artifactType: 'document', commit: 'c0', uri: 'x:y' },
        },
        {
          type: 'ReferenceArtifact',
          data: { artifactId: 'made', artifactType: 'page', uri: 'x:z' },
        },
      ],
    ],
    [
      'a requirement revised and one added',
      {
        requirements: [
          { requirementId: 'R-1', text: '20,000 users' },
          { kind: 'functional', text: 'log in' },
        ],
      },
      [
        {
          type: 'RecordRequirement',
          data: { requirementId: 'R-1', kind: 'non_functional', text: '20,000 users' },
        },
        {
          type: 'RecordRequirement',
          data: { requirementId: 'made', kind: 'functional', text: 'log in' },
        },
      ],
    ],
    [
      'a risk updated and others raised',
      {
        risks: [
          { riskId: 'RISK-1', status: 'mitigated', mitigation: 'm' },
          { riskId: 'RISK-2', severity: 'low', description: 'd' },
          { riskId: 'RISK-3', severity: 'low', description: 'd', status: 'accepted' },
        ],
      },
      [
        { type: 'UpdateRisk', data: { riskId: 'RISK-1', status: 'mitigated' } },
        { type: 'RaiseRisk', data: { riskId: 'RISK-2', severity: 'low', description: 'd' } },
        {
          type: 'RaiseRisk',
          data: { riskId: 'RISK-3', severity: 'low', description: 'd', status: 'accepted' },
        },
      ],
    ],
    [
      'another mitigation of a risk',
      { risks: [{ riskId: 'RISK-1', mitigation: 'n' }] },
      [{ type: 'UpdateRisk', data: { riskId: 'RISK-1', status: 'open', mitigation: 'n' } }],
    ],
    [
      'dependencies added and a blocker cleared',
      {
        dependencies: {
          internal: [{ name: 'user-service' }],
          blockers: [
            { blockerId: 'B-1', status: 'cleared', note: 'open' },
            { description: 'no reviewer' },
          ],
        },
      },
      [
        { type: 'DeclareDependency', data: { name: 'user-service', kind: 'internal' } },
        { type: 'ClearBlocker', data: { blockerId: 'B-1', note: 'open' } },
        { type: 'RaiseBlocker', data: { blockerId: 'made', description: 'no reviewer' } },
      ],
    ],
    [
      'a review and a record added',
      {
        reviewHistory: [
          ...list('reviewHistory'),
          { artifact: 'a.md', status: 'BLOCKED', addresses: ['REV-1.1'] },
        ],
        records: [...list('records'), { kind: 'custom', fields: { a: 1 } }],
      },
      [
        {
          type: 'RecordReview',
          data: { reviewId: 'made', artifact: 'a.md', status: 'BLOCKED', addresses: ['REV-1.1'] },
        },
        {
          type: 'AppendRecord',
          data: { recordId: 'made', kind: 'custom', fields: { a: 1 } },
        },
      ],
    ],
    [
      'new signals, also a repeated one',
      {
        signals: [
          ...list('signals'),
          { signal: 'REVIEW FAILED', subject: 's-1', detail: { reason: 'r' } },
          { signal: 'REVIEW PASSED', subject: 's-1' },
        ],
      },
      [
        {
          type: 'EmitSignal',
          data: { signal: 'REVIEW FAILED', subject: 's-1', detail: { reason: 'r' } },
        },
        { type: 'EmitSignal', data: { signal: 'REVIEW PASSED', subject: 's-1' } },
      ],
    ],
    [
      'a handover acknowledged and one noted',
      {
        handoverNotes: [
          { handoverId: 'H-1', status: 'acknowledged', acknowledgementNote: 'seen' },
          { to: 'sdd-le', priority: 'high', note: 'nine tasks' },
        ],
      },
      [
        { type: 'AcknowledgeHandover', data: { handoverId: 'H-1', note: 'seen' } },
        {
          type: 'NoteHandover',
          data: { handoverId: 'made', to: 'sdd-le', priority: 'high', note: 'nine tasks' },
        },
      ],
    ],
    [
      'input provided and requested',
      {
        inputRequests: [
          { inputRequestId: 'IN-1', status: 'provided', value: { budget: 5 } },
          { path: 'q', from: 'pm' },
        ],
      },
      [
        { type: 'ProvideInput', data: { inputRequestId: 'IN-1', value: { budget: 5 } } },
        { type: 'RequestInput', data: { inputRequestId: 'made', path: 'q', from: 'pm' } },
      ],
    ],
  ])('returns commands for %s', (_, sent, commands) => {
    expect(allDifferences(current, sent, newId)).toEqual(commands);
  });

  it.each(Object.entries(current))(
    'returns no commands if %s is sent without its content',
    (part, value) => {
      const less = Array.isArray(value) ? [] : isJsonObject(value) ? {} : value;
      expect(allDifferences(current, { [part]: less }, newId)).toEqual([]);
    },
  );

  it('finds entries if others before and after them are left out', () => {
    const entries = ['a', 'b', 'c', 'd'].map((decisionId) => ({ decisionId, decision: 'd' }));
    const sent = { decisionHistory: [entries[1] ?? null, { ...entries[3], decision: 'e' }] };
    const refused = () => allDifferences({ decisionHistory: entries }, sent, newId);
    expect(refused).toThrow('/decisionHistory/1/decision');
  });

  it.each<[string, JsonObject, string[]]>([
    ['the title', { title: 'U' }, ['/title']],
    ['the status', { status: 'closed' }, ['/status']],
    ['the metadata', { metadata: { team: 'ops', x: 1 } }, ['/metadata/team', '/metadata/x']],
    ['the version', { _version: 8 }, ['/_version']],
    ['a hidden member', { _secret: 1 }, ['/_secret']],
    ['an unknown member', { 'a/b': 1 }, ['/a~1b']],
    ['the prototype', JSON.parse('{"__proto__":{"a":1}}') as JsonObject, ['/__proto__']],
    ['a method of objects', { toString: 1 }, ['/toString']],
    ['derived state', { currentState: { status: 'failed' } }, ['/currentState/status']],
    ['later parts', { summaries: [{ text: 's' }] }, ['/summaries/0']],
    [
      'a changed signal',
      { signals: list('signals').map((signal) => ({ ...signal, subject: 's-2' })) },
      ['/signals/0/agentId', '/signals/0/timestamp', '/signals/0/version'],
    ],
    [
      'an unknown signal',
      { signals: [...list('signals'), { signal: 'DONE', subject: 's-1' }] },
      ['/signals/1/signal'],
    ],
    [
      'an author of a signal',
      { signals: [...list('signals'), { signal: 'REVIEW PASSED', subject: 's', agentId: 'a' }] },
      ['/signals/1/agentId'],
    ],
    ['a task without a title', { tasks: [...list('tasks'), {}] }, ['/tasks/1/title']],
    [
      'invalid iteration counts',
      { iterationCounts: { l1: 0, l2: 0.5, l3: '1', l4: 1002, '': 1 } },
      ['l1', 'l2', 'l3', 'l4', ''].map((subject) => `/iterationCounts/${subject}`),
    ],
    ['a changed task', { tasks: [{ taskId: 'T-1', title: 'x' }] }, ['/tasks/0/title']],
    [
      'a task with an unknown status',
      { tasks: [{ taskId: 'T-1', status: 'gone' }] },
      ['/tasks/0/status'],
    ],
    [
      'a changed phase',
      { completedPhases: [{ phase: 'l1', agent: 'x' }] },
      ['/completedPhases/0/agent'],
    ],
    [
      'a new task with a status',
      { tasks: [...list('tasks'), { taskId: 't', title: 'T', status: 'planned' }] },
      ['/tasks/1/status'],
    ],
    [
      'a removed constraint',
      { globalContext: { constraints: null } },
      ['/globalContext/constraints'],
    ],
    [
      'a removed member of a constraint',
      { globalContext: { constraints: { budget: null, offline: true } } },
      ['/globalContext/constraints/budget'],
    ],
    ['an invalid step id', { stepOutputs: { plan: { files: 2 }, '': 1 } }, ['/stepOutputs/']],
    [
      'an edited decision',
      { decisionHistory: [{ decisionId: 'DEC-001', decision: 'Use SQLite', live: false }] },
      ['/decisionHistory/0/decision', '/decisionHistory/0/live'],
    ],
    [
      'decisions in another order',
      { decisionHistory: [{ decision: 'new' }, ...list('decisionHistory')] },
      ['/decisionHistory/1/decisionId'],
    ],
    [
      'a decision twice',
      { decisionHistory: [...list('decisionHistory'), ...list('decisionHistory')] },
      ['/decisionHistory/1/decisionId'],
    ],
    [
      'a changed revision',
      { artifactReferences: [{ artifactId: 'doc', revision: 7 }] },
      ['/artifactReferences/0/revision'],
    ],
    [
      'an artifact without a path or uri',
      { artifactReferences: [...list('artifactReferences'), { artifactType: 'x' }] },
      ['/artifactReferences/1/path'],
    ],
    ['an object instead of a list', { decisionHistory: {} }, ['/decisionHistory']],
    [
      'a requirement without its kind',
      { requirements: [...list('requirements'), { text: 't' }] },
      ['/requirements/1/kind'],
    ],
    [
      'another severity of a risk',
      { risks: [{ riskId: 'RISK-1', severity: 'low' }] },
      ['/risks/0/severity'],
    ],
    ['an unknown status', { risks: [{ riskId: 'RISK-1', status: 's' }] }, ['/risks/0/status']],
    [
      'a removed mitigation',
      { risks: [{ riskId: 'RISK-1', mitigation: null }] },
      ['/risks/0/mitigation'],
    ],
    [
      'a new risk with an unknown status',
      { risks: [...list('risks'), { severity: 'low', description: 'd', status: 's' }] },
      ['/risks/1/status'],
    ],
    ['a list instead of dependencies', { dependencies: [] }, ['/dependencies']],
    [
      'moved dependencies and an unknown list',
      {
        dependencies: {
          internal: [{ name: 'Redis', kind: 'external' }],
          others: [],
        },
      },
      ['/dependencies/internal/0/kind', '/dependencies/others'],
    ],
    [
      'a note on a blocker that is open',
      { dependencies: { blockers: [{ blockerId: 'B-1', note: 'n' }] } },
      ['/dependencies/blockers/0/status'],
    ],
    [
      'an edited review',
      { reviewHistory: [{ reviewId: 'REV-1', status: 'BLOCKED' }] },
      ['/reviewHistory/0/status'],
    ],
    [
      'an issue closed by hand',
      { openIssues: list('openIssues').map((issue) => ({ ...issue, text: 'done' })) },
      ['/openIssues/0'],
    ],
    ['an edited record', { records: [{ recordId: 'REC-1', body: 'c' }] }, ['/records/0/body']],
    ['a record of no kind', { records: [...list('records'), { body: 'b' }] }, ['/records/1/kind']],
    [
      'an edited handover',
      { handoverNotes: [{ handoverId: 'H-1', note: 'else' }] },
      ['/handoverNotes/0/note'],
    ],
    [
      'a new handover that claims to be carried over',
      {
        handoverNotes: [
          ...list('handoverNotes'),
          { to: 'x', note: 'n', carriedFrom: { contextId: 'c', handoverId: 'H-9' } },
        ],
      },
      ['/handoverNotes/1/carriedFrom'],
    ],
    [
      'a note on a handover that stays open',
      { handoverNotes: [{ handoverId: 'H-1', acknowledgementNote: 'seen' }] },
      ['/handoverNotes/0/status'],
    ],
    [
      'a value for a request that stays open',
      { inputRequests: [{ inputRequestId: 'IN-1', value: 1 }] },
      ['/inputRequests/0/status'],
    ],
    ['null instead of values', { userPreferences: null }, ['/userPreferences']],
  ])('refuses %s by pointer', (_, sent, pointers) => {
    const refused = pointersOf(sent);
    expect(refused.slice(0, pointers.length)).toEqual(pointers);
  });

  it('accepts stored ids that new rules refuse, unchanged and with higher counts', () => {
    const stored = { iterationCounts: { '.': 2, ' ': 1 } };
    expect(allDifferences(stored, stored, newId)).toEqual([]);
    const further = { iterationCounts: { '.': 3, ' ': 1 } };
    expect(allDifferences(stored, further, newId)).toEqual([
      { type: 'StartIteration', data: { subject: '.' } },
    ]);
    expect(() => allDifferences({}, stored, newId)).toThrow('/iterationCounts/.');
  });

  it.each<[string, JsonObject, JsonObject, ContextCommand]>([
    [
      'the kind of a requirement',
      { requirements: [{ requirementId: '.', kind: 'functional', text: ' ' }] },
      { requirements: [{ requirementId: '.', kind: 'constraint' }] },
      {
        type: 'RecordRequirement',
        data: { requirementId: '.', kind: 'constraint', text: ' ' },
      },
    ],
    [
      'the kind of a requirement whose text is sent as it is',
      { requirements: [{ requirementId: '.', kind: 'functional', text: ' ' }] },
      { requirements: [{ requirementId: '.', kind: 'constraint', text: ' ' }] },
      {
        type: 'RecordRequirement',
        data: { requirementId: '.', kind: 'constraint', text: ' ' },
      },
    ],
    [
      'the commit of an artifact',
      { artifactReferences: [{ artifactId: '.', artifactType: ' ', path: ' ', commit: 'a' }] },
      { artifactReferences: [{ artifactId: '.', commit: 'b' }] },
      {
        type: 'ReferenceArtifact',
        data: { artifactId: '.', artifactType: ' ', path: ' ', commit: 'b' },
      },
    ],
    [
      'the value of an input request',
      { inputRequests: [{ inputRequestId: '.', status: 'provided', value: 1, note: ' ' }] },
      { inputRequests: [{ inputRequestId: '.', value: 2 }] },
      { type: 'ProvideInput', data: { inputRequestId: '.', value: 2, note: ' ' } },
    ],
    [
      'the output of a step',
      { stepOutputs: { '.': 1 } },
      { stepOutputs: { '.': 2 } },
      { type: 'AddStepOutput', data: { stepId: '.', output: 2 } },
    ],
    [
      'a task that is blocked again for the same reason',
      { tasks: [{ taskId: '.', title: ' ', status: 'in_progress', reason: ' ' }] },
      { tasks: [{ taskId: '.', status: 'blocked' }] },
      { type: 'BlockTask', data: { taskId: '.', reason: ' ' } },
    ],
  ])('applies the rules for input only to changed members: %s', (_, stored, sent, command) => {
    expect(allDifferences(stored, sent, newId)).toEqual([command]);
  });

  it('refuses new ids and texts that no client may choose', () => {
    const pointers = [
      '/requirements/0/requirementId',
      '/requirements/1/text',
      '/artifactReferences/0/artifactId',
      '/dependencies/external/0/name',
      '/stepOutputs/.',
    ];
    const refused = pointersOf({
      requirements: [
        { requirementId: '.', kind: 'constraint', text: 't' },
        { requirementId: 'R', kind: 'constraint', text: ' ' },
      ],
      artifactReferences: [{ artifactId: '.', artifactType: 't', path: 'p' }],
      dependencies: { external: [{ name: '.' }] },
      stepOutputs: { '.': 1 },
    });
    expect(refused).toEqual(pointers);
  });

  it.each<[JsonObject, string]>([
    [{ decisionHistory: [{ decision: 5 }] }, 'must be text'],
    [{ decisionHistory: [{}] }, 'is required'],
    [{ tasks: [{ title: '' }] }, 'must be at least 1 character'],
    [
      { requirements: [{ kind: 'wish', text: 't' }] },
      'must be one of "functional", "non_functional", "constraint"',
    ],
    [{ records: [{ kind: 'custom', body: 'b', participants: 'a' }] }, 'must be a list'],
    [
      { reviewHistory: [{ artifact: 'a', status: 'BLOCKED', iteration: 0.5 }] },
      'must be a whole number',
    ],
    [{ risks: [{ severity: 'high', description: true }] }, 'must be text'],
    [{ inputRequests: [{ path: 'p', from: null }] }, 'must be text'],
    [
      { handoverNotes: [...list('handoverNotes'), { to: 'a', note: 'n', actionItems: {} }] },
      'must be a list',
    ],
    [{ completedPhases: [{ phase: 1 }] }, 'must be text'],
    [{ dependencies: { blockers: [{ description: 1 }] } }, 'must be text'],
  ])('reports the expected value for %j in our own wording', (sent, detail) => {
    const refused = () => allDifferences(current, sent, newId);
    expect(refused).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ detail })] }),
    );
  });

  it.each<[JsonObject, string, string, string]>([
    [
      { decisonHistory: [] },
      '/decisonHistory',
      'decisionHistory',
      'is not a member of a context: did you mean "decisionHistory"?',
    ],
    [{ Tasks: [] }, '/Tasks', 'tasks', 'is not a member of a context: did you mean "tasks"?'],
    [
      { dependencies: { externl: [] } },
      '/dependencies/externl',
      'external',
      'is not a list of dependencies: did you mean "external"?',
    ],
    [
      { tasks: [{ taskId: 'T-1', titel: 'x' }] },
      '/tasks/0/titel',
      'title',
      'is not known here: did you mean "title"?',
    ],
    [
      { tasks: [{ taskId: 'T-1', resaon: 'x' }] },
      '/tasks/0/resaon',
      'reason',
      'is not known here: did you mean "reason"?',
    ],
    [
      { decisionHistory: [{ decisionId: 'DEC-001', decison: 'x' }] },
      '/decisionHistory/0/decison',
      'decision',
      'is not known here: did you mean "decision"?',
    ],
    [
      { risks: [{ riskId: 'RISK-1', state: 'closed', severty: 'low' }] },
      '/risks/0/severty',
      'severity',
      'is not known here: did you mean "severity"?',
    ],
    [
      { currentState: { Status: 'open' } },
      '/currentState/Status',
      'status',
      'is not known here: did you mean "status"?',
    ],
  ])('suggests a similar member for %j', (sent, pointer, suggestion, detail) => {
    const refused = () => allDifferences(current, sent, newId);
    const issue = { pointer, suggestion, detail };
    expect(refused).toThrow(expect.objectContaining({ issues: expect.arrayContaining([issue]) }));
  });

  it.each<[JsonObject, string]>([
    [{ banana: 1 }, 'is not a member of a context: leave it out'],
    [{ title: 'Another' }, 'is set when a context is created, and cannot be changed: leave it out'],
    [
      { metadata: { version: 2 } },
      'is set when a context is created, and cannot be changed: leave it out',
    ],
    [
      { outcome: 'completed' },
      'changes when the context is closed or reopened: leave it out, and use POST .../close or .../reopen',
    ],
    [{ metrics: { tasks: 9 } }, 'is derived from events: leave it out'],
    [
      { dependencies: { banana: [] } },
      'is not a list of dependencies; known members: external, internal, blockers',
    ],
    [
      { tasks: [{ taskId: 'T-1', estimate: 3 }] },
      'cannot be changed by writing the document: leave it out, or use the operation made for the change',
    ],
    [
      { tasks: [{ title: 'T', banana: 1 }] },
      'cannot be stated here; known members: dependsOn, acceptanceCriteria, estimate, partOf, group',
    ],
    [
      { tasks: [{ title: 'T', titel: 'x', status: 'planned' }] },
      'cannot be stated here; known members: dependsOn, acceptanceCriteria, estimate, partOf, group',
    ],
  ])('reports what to do with %j if there is no similar member', (sent, detail) => {
    const refused = () => allDifferences(current, sent, newId);
    expect(refused).toThrow(
      expect.objectContaining({
        issues: expect.arrayContaining([{ pointer: expect.any(String), detail }]),
      }),
    );
  });

  it('suggests no name among very many', () => {
    const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m-${n}`, n]));
    const sent = { metadata: { 'm-1x': 1 } };
    expect(() => allDifferences({ metadata }, sent, newId)).toThrow(
      '/metadata/m-1x: is set when a context is created, and cannot be changed',
    );
  });

  it.each<[string, JsonObject, JsonObject, ContextCommand[]]>([
    [
      'a new value with null inside',
      {},
      { globalContext: { n: { a: null, b: { c: null } } } },
      [{ type: 'SetGlobalContext', data: { values: { n: { a: null, b: { c: null } } } } }],
    ],
    [
      'a value with null inside instead of a text',
      { globalContext: { n: 'text' } },
      { globalContext: { n: { a: null } } },
      [{ type: 'SetGlobalContext', data: { values: { n: { a: null } } } }],
    ],
    [
      'a value that is null, as it is',
      { globalContext: { n: null, m: { a: null } } },
      { globalContext: { n: null, m: { a: null } } },
      [],
    ],
    [
      'a preference that is null, removed',
      { userPreferences: { p: null, q: { a: null, b: 1 } } },
      { userPreferences: { p: null, q: { a: null } } },
      [{ type: 'SetPreferences', data: { values: { p: null, q: { a: null } } } }],
    ],
    ['a missing preference, removed', {}, { userPreferences: { p: null } }, []],
  ])('accepts %s', (_, stored, sent, commands) => {
    expect(allDifferences(stored, sent, newId)).toEqual(commands);
  });

  it('ignores the progress of children', () => {
    const child = { contextId: 'a', title: 'A', createdAt: 't', outcome: 'active' };
    const stored = { children: [child], executionSummary: { active: 1 } };
    const moved = {
      children: [{ ...child, outcome: 'done', _x: 1 }],
      executionSummary: { done: 1 },
    };
    expect(allDifferences(stored, moved, newId)).toEqual([]);
    expect(allDifferences({}, { executionSummary: {} }, newId)).toEqual([]);
    const retold = { children: [{ ...child, title: 'B' }, { contextId: 'b' }] };
    expect(() => allDifferences(stored, retold, newId)).toThrow('/children/0/title');
    expect(() => allDifferences(stored, retold, newId)).toThrow('(and 1 more)');
  });

  it('returns the pointer of each command in the document', () => {
    const sent = {
      tasks: [{ taskId: 'T-1', status: 'completed' }, { title: 'n' }],
      stepOutputs: { 'a/b': 1 },
      dependencies: { external: [{ name: 'Kafka' }] },
      iterationCounts: { l1: 2 },
      globalContext: { x: 1 },
      risks: [{ riskId: 'RISK-1', status: 'closed' }],
    };
    const places = allChanges(current, sent, newId).map(({ command, at, keyed }) => [
      command.type,
      at,
      keyed,
    ]);
    expect(places).toEqual([
      ['CompleteTask', '/tasks/0', false],
      ['PlanTask', '/tasks/1', false],
      ['AddStepOutput', '/stepOutputs/a~1b', true],
      ['DeclareDependency', '/dependencies/external/0', false],
      ['StartIteration', '/iterationCounts/l1', true],
      ['SetGlobalContext', '/globalContext', true],
      ['UpdateRisk', '/risks/0', false],
    ]);
  });

  it('reports all faults at once', () => {
    expect(pointersOf({ title: 'U', stepOutputs: { '': 1 }, userPreferences: 1 })).toEqual([
      '/title',
      '/stepOutputs/',
      '/userPreferences',
    ]);
  });
});

describe('an edited document', () => {
  const name = fc.constantFrom(...oddNames);
  const stepId = fc.constantFrom('a', 'b', '__proto__', 'new 😀');
  const edits = fc.record({
    preferences: jsonObject.filter((values) => !hasNull(values)),
    removed: name,
    /** Whether the known entries are sent together with the new ones. */
    whole: fc.boolean(),
    added: fc.tuple(name, fc.constantFrom(1, 'x', true, 2.5)),
    outputs: fc.array(fc.tuple(stepId, jsonValue), { maxLength: 3 }),
    decisions: fc.array(
      fc.record({ decision: fc.constantFrom('p', 'q'), rationale: fc.string() }),
      {
        maxLength: 2,
      },
    ),
    artifacts: fc.array(
      fc.record({ artifactType: fc.constant('t'), path: fc.constantFrom('p', 'q') }),
      {
        maxLength: 2,
      },
    ),
    requirements: fc.array(
      fc.record({ kind: fc.constant('constraint'), text: fc.constantFrom('x', 'y') }),
      { maxLength: 2 },
    ),
    risks: fc.array(
      fc.record({ severity: fc.constantFrom('low', 'high'), description: fc.constant('d') }),
      { maxLength: 2 },
    ),
    reviews: fc.array(
      fc.record({ artifact: fc.constant('a.md'), status: fc.constantFrom('APPROVED', 'BLOCKED') }),
      { maxLength: 2 },
    ),
    records: fc.array(
      fc.record({ kind: fc.constantFrom('custom', 'uat'), body: fc.constantFrom('x', 'y') }),
      { maxLength: 2 },
    ),
    signals: fc.array(
      fc.record({ signal: fc.constant('REVIEW PASSED'), subject: fc.constantFrom('x', 'y') }),
      { maxLength: 2 },
    ),
    blockers: fc.array(fc.record({ description: fc.constant('d') }), { maxLength: 2 }),
    handovers: fc.array(fc.record({ to: fc.constantFrom('x', 'y'), note: fc.constant('n') }), {
      maxLength: 2,
    }),
    requests: fc.array(fc.record({ path: fc.constant('p'), from: fc.constantFrom('x', 'y') }), {
      maxLength: 2,
    }),
  });

  it('equals the document of the context after its difference is written', () => {
    fc.assert(
      fc.property(contextCommands, edits, (commands, edit) => {
        const { state: before, events } = contextFrom([
          ...commands,
          { type: 'ReopenContext', data: {} },
        ]);
        const document = documentOf(before);
        const preferences = {
          ...removal(document['userPreferences'], edit.removed),
          ...edit.preferences,
        };
        const edited: JsonObject = {
          ...document,
          userPreferences: mergePatch(document['userPreferences'], preferences),
          globalContext: withEntries(document['globalContext'], [edit.added]),
          stepOutputs: withEntries(document['stepOutputs'], edit.outputs),
          decisionHistory: [...listOf(document['decisionHistory']), ...edit.decisions],
          artifactReferences: [...listOf(document['artifactReferences']), ...edit.artifacts],
          requirements: [...listOf(document['requirements']), ...edit.requirements],
          risks: listOf(document['risks']).map(mitigated).concat(edit.risks),
          reviewHistory: [...listOf(document['reviewHistory']), ...edit.reviews],
          records: [...listOf(document['records']), ...edit.records],
          handoverNotes: listOf(document['handoverNotes']).map(acknowledged).concat(edit.handovers),
          inputRequests: listOf(document['inputRequests']).map(provided).concat(edit.requests),
          signals: [...listOf(document['signals']), ...edit.signals],
          dependencies: withEntries(document['dependencies'], [
            ['blockers', [...blockersOf(document), ...edit.blockers]],
          ]),
        };
        let made = 0;
        let version = events.length;
        const added: JsonObject = {
          globalContext: Object.fromEntries([edit.added]),
          stepOutputs: Object.fromEntries(edit.outputs),
          decisionHistory: edit.decisions,
          artifactReferences: edit.artifacts,
          requirements: edit.requirements,
          reviewHistory: edit.reviews,
          records: edit.records,
        };
        const sent = { ...edited, ...(edit.whole ? {} : added), userPreferences: preferences };
        const commandsToWrite = allDifferences(document, sent, () => `made-${made++}`);
        const after = commandsToWrite.reduce(
          (state, command) =>
            decideContext(command, state.lookup).reduce(
              (next, event) => next.apply(recordContextEvent(event, ++version)),
              state,
            ),
          before,
        );
        const result = documentOf(after);
        for (const part of ['userPreferences', 'globalContext', 'stepOutputs'])
          expect(sorted(result[part])).toBe(sorted(edited[part]));
        blockersOf(edited).forEach((entry, at) =>
          expect(blockersOf(result)[at]).toMatchObject(entry as object),
        );
        for (const part of ['decisionHistory', 'artifactReferences', ...lists])
          listOf(edited[part]).forEach((entry, at) =>
            expect(listOf(result[part])[at]).toMatchObject(entry as object),
          );
        expect(listOf(result['decisionHistory'])).toHaveLength(
          listOf(edited['decisionHistory']).length,
        );
      }),
      { numRuns: 500 },
    );
  });
});

const lists = [
  'requirements',
  'risks',
  'reviewHistory',
  'records',
  'signals',
  'handoverNotes',
  'inputRequests',
];

function acknowledged(handover: JsonValue): JsonValue {
  const { handoverId = null } = isJsonObject(handover) ? handover : {};
  return { handoverId, status: 'acknowledged' };
}

function provided(request: JsonValue): JsonValue {
  const { inputRequestId = null } = isJsonObject(request) ? request : {};
  return { inputRequestId, status: 'provided', value: 1 };
}

/** A known risk as a client sends it after the risk was mitigated. */
function mitigated(risk: JsonValue): JsonValue {
  const { riskId = null } = isJsonObject(risk) ? risk : {};
  return { riskId, status: 'mitigated', mitigation: 'done' };
}

/** Removes one preference, if it exists. */
function removal(preferences: JsonValue | undefined, name: string): JsonObject {
  const value = isJsonObject(preferences) ? member(preferences, name) : undefined;
  return value === undefined || value === null ? {} : Object.fromEntries([[name, null]]);
}

function blockersOf(document: JsonObject): readonly JsonValue[] {
  const { dependencies } = document;
  return listOf(isJsonObject(dependencies) ? dependencies['blockers'] : undefined);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function withEntries(
  value: JsonValue | undefined,
  entries: readonly [string, JsonValue][],
): JsonObject {
  return Object.fromEntries([...Object.entries(isJsonObject(value) ? value : {}), ...entries]);
}

/** A JSON text that does not depend on the order of members. */
function sorted(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, of]) => `${JSON.stringify(name)}:${sorted(of)}`,
  );
  return `{${members.sort().join()}}`;
}

function hasNull(value: JsonValue): boolean {
  if (value === null) return true;
  return isJsonObject(value) && Object.values(value).some(hasNull);
}
