import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

/**
 * One event of each type that an agent may write at the end of a turn; the events that they refer to are in `before`.
 */
const turn = [
  ['HandoverAcknowledged', { handoverId: 'to-coder', note: 'read' }],
  ['InputProvided', { inputRequestId: 'budget', value: { hours: 40 } }],
  ['PhaseStarted', { phase: 'build' }],
  ['IterationStarted', { subject: 'task-1' }],
  ['TaskPlanned', { taskId: 'task-2', title: 'Registration' }],
  ['TaskStarted', { taskId: 'task-1' }],
  ['TaskBlocked', { taskId: 'task-1', reason: 'no broker' }],
  ['TaskStarted', { taskId: 'task-1' }],
  ['TaskCompleted', { taskId: 'task-1' }],
  ['StepStarted', { stepId: 'code' }],
  ['StepFailed', { stepId: 'code', reason: 'the mock hangs', tried: ['a longer timeout'] }],
  ['StepStarted', { stepId: 'code' }],
  ['StepOutputAdded', { stepId: 'code', name: 'implementation', output: { files: 4 } }],
  ['QualityScored', { agent: 'coder', output: 'implementation', scores: { overall_score: 8 } }],
  ['DecisionRecorded', { topic: 'hashes', decision: 'bcrypt hashes passwords' }],
  ['ArtifactReferenced', { artifactId: 'service', artifactType: 'code', path: 'src/users.ts' }],
  ['RequirementRecorded', { requirementId: 'R-2', kind: 'constraint', text: 'no GPL' }],
  ['RiskRaised', { riskId: 'RISK-1', severity: 'low', description: 'mail is slow' }],
  ['RiskUpdated', { riskId: 'RISK-1', status: 'mitigated', mitigation: 'a queue' }],
  ['DependencyDeclared', { name: 'Kafka', kind: 'external' }],
  ['BlockerRaised', { blockerId: 'no-broker', description: 'no Kafka to test against' }],
  ['BlockerCleared', { blockerId: 'no-broker' }],
  [
    'ReviewRecorded',
    { reviewId: 'r1', artifact: 'src/users.ts', status: 'APPROVED', keyIssues: [] },
  ],
  ['RecordAppended', { recordId: 'dev', kind: 'dev-record', fields: { summary: 'it works' } }],
  ['SignalEmitted', { signal: 'IMPLEMENTATION COMPLETE', subject: 'story-1' }],
  ['PreferencesSet', { values: { tone: 'brief' } }],
  ['GlobalContextSet', { values: { owner: 'shop team' } }],
  ['InputRequested', { inputRequestId: 'logo', path: 'global_context.logo', from: 'designer' }],
  ['HandoverNoted', { handoverId: 'to-tester', to: 'tester', note: 'begin with registration' }],
  ['PhaseCompleted', { phase: 'build', outputs: ['src/users.ts'] }],
].map(([type, data]) => ({ type, data }));

const before = [
  { type: 'HandoverNoted', data: { handoverId: 'to-coder', to: 'coder', note: 'begin here' } },
  { type: 'InputRequested', data: { inputRequestId: 'budget', path: 'budget', from: 'coder' } },
  { type: 'TaskPlanned', data: { taskId: 'task-1', title: 'User model' } },
];

describe('the turn of an agent', () => {
  it('takes one read and one batch, whose events may be of any type', async () => {
    const path = await server.context('turn');
    const key = await server.key({ role: 'agent', agentId: 'coder' });
    await server.post(`${path}/events`, { events: before });
    const read = await server.get(`${path}/view`, { key });
    const headers = { 'if-match': String(read.headers['etag']) };
    const batch = await server.post(`${path}/events`, { events: turn }, { key, headers });
    expect([batch.status, batch.body.version]).toEqual([201, 4 + turn.length]);
    const types = batch.body.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(turn.map(({ type }) => type));
    expect((await server.get(path)).body).toMatchObject({
      completedPhases: [{ phase: 'build', agent: 'coder' }],
      stepOutputs: { code: { files: 4 } },
      tasks: [{ taskId: 'task-1', status: 'completed', agentId: 'coder' }, { taskId: 'task-2' }],
      handoverNotes: [{ status: 'acknowledged' }, { handoverId: 'to-tester', from: 'coder' }],
      inputRequests: [{ status: 'provided' }, { inputRequestId: 'logo', status: 'open' }],
      _lastModifiedBy: 'coder',
    });
  });

  it.each([0, turn.length / 2, turn.length])(
    'stores nothing if the event at index %i of the batch is refused',
    async (at) => {
      const path = await server.context(`refused-${at}`);
      const key = await server.key({ role: 'agent', agentId: 'coder' });
      await server.post(`${path}/events`, { events: before });
      const invalid = { type: 'TaskCompleted', data: { taskId: 'unknown' } };
      const events = turn.toSpliced(at, 0, invalid);
      const { body } = await server.post(`${path}/events`, { events }, { key });
      expect(body).toMatchObject({ status: 404, kind: 'task', id: 'unknown' });
      expect((await server.get(path)).body._version).toBe(4);
    },
  );
});
