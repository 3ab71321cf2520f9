import { proveAgentTurns } from './docs/agent-turns.js';
import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('a feature that agents hand over to one another', () => {
  it(
    'follows the page, which shows the answer to each request',
    () => proveHttpPage('context-manifest.md', server),
    120_000,
  );

  it('takes one read and one batch per turn of each agent', () =>
    proveAgentTurns('context-manifest.md'));

  it('shows each write in the next read', async () => {
    const path = await server.context('at-once');
    for (let version = 2; version <= 6; version++) {
      const { body } = await server.post(`${path}/decisions`, { decision: `decision ${version}` });
      const { body: document } = await server.get(path);
      expect([body.version, document._version]).toEqual([version, version]);
      expect(document.decisionHistory.at(-1)).toMatchObject({ decision: `decision ${version}` });
    }
  });

  it('accepts no note without text or addressee', async () => {
    const path = await server.context('notes');
    const note = async (body: object) => {
      const answer = await server.post(`${path}/handovers`, body);
      return [answer.status, answer.body.errors?.[0]?.pointer];
    };
    expect(await note({ note: 'the design is done' })).toEqual([422, '/to']);
    expect(await note({ to: 'sdd-pe', note: '' })).toEqual([422, '/note']);
    expect(await note({ to: 'sdd-pe', note: 'n', priority: 'urgent' })).toEqual([422, '/priority']);
    expect(await note({ to: 'sdd-pe', note: 'reads outweigh writes four to one' })).toEqual([
      201,
      undefined,
    ]);
  });

  it('reports references to items that do not exist', async () => {
    const path = await server.context('links');
    await server.post(`${path}/decisions`, { decision: 'd', relatedRequirements: ['R-9'] });
    const output = { stepId: 's', output: 1, artifactIds: ['spec'] };
    await server.post(`${path}/step-outputs`, output);
    const { body } = await server.get(`${path}/check`);
    expect(body.ok).toBe(false);
    const codes = body.findings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['requirement-missing', 'artifact-missing']));
  });

  it('has its full history: revisions, superseded decisions and events', async () => {
    const path = await server.context('history');
    const requirement = { requirementId: 'R-1', kind: 'constraint', text: 'first' };
    await server.post(`${path}/requirements`, requirement);
    await server.post(`${path}/requirements`, { ...requirement, text: 'second' });
    await server.post(`${path}/decisions`, { topic: 'db', decision: 'MongoDB' });
    const next = { topic: 'db', decision: 'PostgreSQL', supersedes: 'DEC-001' };
    await server.post(`${path}/decisions`, next);
    const current = (await server.get(path)).body;
    expect(current.requirements).toMatchObject([{ text: 'second', revision: 2 }]);
    expect(current.decisionHistory).toMatchObject([
      { decision: 'MongoDB', live: false, supersededBy: 'DEC-002' },
      { decision: 'PostgreSQL', live: true },
    ]);
    const earlier = (await server.get(`${path}?asOf=2`)).body;
    expect(earlier.requirements).toMatchObject([{ text: 'first', revision: 1 }]);
    const events = (await server.get(`${path}/events`)).body.items;
    expect(events).toHaveLength(5);
  });

  it('shows the issues, the attempts with their rationale, and the constraints before a rework', async () => {
    const path = await server.context('rework');
    const events = [
      {
        type: 'RequirementRecorded',
        data: { requirementId: 'R-3.2', kind: 'constraint', text: '10,000 people at once' },
      },
      {
        type: 'DecisionRecorded',
        data: { decision: 'One database', rationale: 'simple', alternativesConsidered: ['shards'] },
      },
      {
        type: 'ReviewRecorded',
        data: {
          artifact: 'design/l1_architecture.md',
          iteration: 2,
          status: 'REJECTED_WITH_FEEDBACK',
          keyIssues: [{ severity: 'critical', text: 'it does not scale' }],
        },
      },
    ];
    await server.post(`${path}/events`, { events });
    expect((await server.get(path)).body).toMatchObject({
      openIssues: [{ text: 'it does not scale', blocking: true }],
      decisionHistory: [{ rationale: 'simple', alternativesConsidered: ['shards'] }],
      requirements: [{ text: '10,000 people at once' }],
      reviewHistory: [{ iteration: 2 }],
    });
  });

  it('shows small and large decisions alike, each with author and time', async () => {
    const path = await server.context('decided');
    for (const decision of ['Microservices', 'Tabs of four'])
      await server.post(`${path}/decisions`, { decision, agentId: 'sdd-architect' });
    const common = { agentId: 'sdd-architect', timestamp: expect.any(String), live: true };
    expect((await server.get(path)).body.decisionHistory).toMatchObject([
      { decisionId: 'DEC-001', decision: 'Microservices', ...common },
      { decisionId: 'DEC-002', decision: 'Tabs of four', ...common },
    ]);
  });

  it('has errors for unacknowledged critical notes only', async () => {
    const path = await server.context('priorities');
    const findings = async () => (await server.get(`${path}/check`)).body.findings;
    for (const priority of ['low', 'medium', 'high', 'critical'])
      await server.post(`${path}/handovers`, {
        handoverId: priority,
        to: 'sdd-pe',
        note: 'n',
        priority,
      });
    const errors = (await findings()).filter(
      ({ severity }: { severity: string }) => severity === 'error',
    );
    expect(errors).toMatchObject([{ ref: 'handover:critical' }]);
    await server.post(`${path}/handovers/critical/acknowledge`);
    const remaining = (await findings()).map(({ severity }: { severity: string }) => severity);
    expect(remaining).not.toContain('error');
  });

  it('is handed over four times, from analyst to coder, each note with its priority, artifacts and actions', async () => {
    const path = await server.context('chain');
    const agents = ['sdd-ba', 'sdd-architect', 'sdd-pe', 'sdd-le', 'sdd-coder'];
    const notes = agents.slice(1).map((to, n) => ({
      from: agents[n],
      to,
      priority: 'high',
      note: `for ${to}`,
      relatedArtifacts: [`${to}.md`],
      actionItems: ['begin with the contracts'],
    }));
    for (const note of notes)
      await server.post(`${path}/handovers`, { ...note, agentId: note.from });
    expect((await server.get(path)).body.handoverNotes).toMatchObject(
      notes.map((note) => ({ ...note, status: 'open', timestamp: expect.any(String) })),
    );
  });

  it('has the figures of the manifest: 3 phases, 5 iterations, 1.67 on average, 0.6 of reviews passed', async () => {
    const path = await server.context('figures');
    const statuses = ['REJECTED_WITH_FEEDBACK', 'APPROVED', 'BLOCKED', 'APPROVED_WITH_FIXES'];
    const phases = ['requirements', 'l1_design', 'l2_design'];
    await server.post(`${path}/events`, {
      events: [
        ...phases.flatMap((phase) => [
          { type: 'PhaseStarted', data: { phase } },
          { type: 'PhaseCompleted', data: { phase } },
        ]),
        ...['design_l1', 'design_l1', 'design_l2', 'design_l2', 'task_001'].map((subject) => ({
          type: 'IterationStarted',
          data: { subject },
        })),
        ...[...statuses, 'APPROVED'].map((status) => ({
          type: 'ReviewRecorded',
          data: { artifact: 'a.md', status, keyIssues: [] },
        })),
      ],
    });
    const { metrics, iterationCounts } = (await server.get(path)).body;
    expect(metrics).toMatchObject({
      phasesCompleted: 3,
      totalIterations: 5,
      averageIterationCount: 1.67,
      reviewIterations: 5,
      reviewPassRate: 0.6,
    });
    expect(iterationCounts).toEqual({ design_l1: 2, design_l2: 2, task_001: 1 });
  });

  it('shows a dashboard the phase, the blocked tasks, and the loops near their limits', async () => {
    const path = await server.context('dashboard');
    await server.post(`${path}/events`, {
      events: [
        { type: 'PhaseStarted', data: { phase: 'implementation' } },
        { type: 'TaskPlanned', data: { taskId: 'task-003', title: 'Signed tokens' } },
        { type: 'TaskStarted', data: { taskId: 'task-003' } },
        { type: 'TaskBlocked', data: { taskId: 'task-003', reason: 'no key store' } },
        ...[1, 2, 3].map(() => ({ type: 'IterationStarted', data: { subject: 'task-003' } })),
      ],
    });
    expect((await server.get(path)).body).toMatchObject({
      currentState: { phase: 'implementation', activeTask: 'task-003', status: 'blocked' },
      tasks: [{ taskId: 'task-003', status: 'blocked', reason: 'no key store' }],
      circuitBreakers: { 'task-003': { current: 3, max: 3, status: 'warning' } },
    });
  });
});
