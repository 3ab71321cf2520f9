import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

describe('a feature that one agent hands to the next', () => {
  it(
    'goes the way of the page, which shows what each of them gets',
    () => proveHttpPage('context-manifest.md', server),
    120_000,
  );

  it('reads at once what a colleague has just said', async () => {
    const path = await server.context('at-once');
    for (let version = 2; version <= 6; version++) {
      const { body } = await server.post(`${path}/decisions`, { decision: `decision ${version}` });
      const { body: document } = await server.get(path);
      expect([body.version, document._version]).toEqual([version, version]);
      expect(document.decisionHistory.at(-1)).toMatchObject({ decision: `decision ${version}` });
    }
  });

  it('gets no note that says nothing or is for nobody', async () => {
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

  it('is told of references that lead nowhere', async () => {
    const path = await server.context('links');
    await server.post(`${path}/decisions`, { decision: 'd', relatedRequirements: ['R-9'] });
    const output = { stepId: 's', output: 1, artifactIds: ['spec'] };
    await server.post(`${path}/step-outputs`, output);
    const { body } = await server.get(`${path}/check`);
    expect(body.ok).toBe(false);
    const codes = body.findings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['requirement-missing', 'artifact-missing']));
  });

  it('finds the history whole: revisions, what was superseded and what was addressed', async () => {
    const path = await server.context('history');
    const requirement = { requirementId: 'R-1', kind: 'constraint', text: 'first' };
    await server.post(`${path}/requirements`, requirement);
    await server.post(`${path}/requirements`, { ...requirement, text: 'second' });
    await server.post(`${path}/decisions`, { topic: 'db', decision: 'MongoDB' });
    const next = { topic: 'db', decision: 'PostgreSQL', supersedes: 'DEC-001' };
    await server.post(`${path}/decisions`, next);
    const now = (await server.get(path)).body;
    expect(now.requirements).toMatchObject([{ text: 'second', revision: 2 }]);
    expect(now.decisionHistory).toMatchObject([
      { decision: 'MongoDB', live: false, supersededBy: 'DEC-002' },
      { decision: 'PostgreSQL', live: true },
    ]);
    const then = (await server.get(`${path}?asOf=2`)).body;
    expect(then.requirements).toMatchObject([{ text: 'first', revision: 1 }]);
    const events = (await server.get(`${path}/events`)).body.items;
    expect(events).toHaveLength(5);
  });

  it('knows before a rework what was wrong, what was tried and why, and what constrains it', async () => {
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
});
