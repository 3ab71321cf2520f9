import { claim, startRun } from './console/run-worker.js';
import { currentAnswer } from './caught-up.js';
import { type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

async function written(path: string, body: object = {}): Promise<Reply['body']> {
  const answer = await server.post(path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
}

/** A page of contexts that need attention, once its rows are current: their ids with their reasons. */
async function page(query: string) {
  const { body } = await currentAnswer(() => server.get(`/v1/contexts?${query}`));
  const { items, nextCursor } = body as Readonly<{
    items: readonly Readonly<{ contextId: string; attention: readonly string[] }>[];
    nextCursor: string | null;
  }>;
  return { found: items.map(({ contextId, attention }) => [contextId, attention]), nextCursor };
}

const named = async (reason: string) => (await page(`attention=${reason}`)).found;

const decision = (topic: string, more: object = {}) => ({
  topic,
  decision: `Use ${topic}`,
  rationale: 'It is proven',
  ...more,
});

describe('contexts that need attention', () => {
  it('are those that wait for a person, and have all their reasons', async () => {
    const path = await server.context('waiting');
    await written(`${path}/decisions`, decision('broker', { requiresApproval: true }));
    await written(`${path}/iterations`, { subject: 'design', max: 1 });
    await server.post(`${path}/iterations`, { subject: 'design' });
    expect(await named('any')).toEqual([['waiting', ['pending-decision', 'tripped-breaker']]]);
    expect(await named('tripped-breaker')).toHaveLength(1);
    expect(await named('approval')).toEqual([]);
    await written(`${path}/decisions/DEC-001/approve`);
    expect(await named('pending-decision')).toEqual([]);
    expect(await named('any')).toEqual([['waiting', ['tripped-breaker']]]);
    expect(await named('any&status=open')).toHaveLength(1);
    expect(await named('any&status=closed')).toEqual([]);
    await written(`${path}/close`);
    expect(await named('any')).toEqual([]);
    expect(await named('any&status=closed')).toEqual([]);
  });

  it('have runs that wait for an approval or that failed', async () => {
    await written('/v1/workflows', {
      id: 'gate',
      steps: [
        { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
        { id: 'approve', type: 'approval', message: 'Ship?' },
      ],
    });
    await startRun(server, 'approved', 'gate');
    await startRun(server, 'broken', 'gate');
    for (const contextId of ['approved', 'broken']) {
      const work = await claim(server, 'planner');
      expect(work.contextId).toBe(contextId);
      const { attemptToken } = work;
      await (contextId === 'approved'
        ? written('/v1/work/complete', { attemptToken, output: 1 })
        : written('/v1/work/fail', { attemptToken, reason: 'No plan' }));
    }
    expect(await named('any')).toEqual([
      ['broken', ['failed-run']],
      ['approved', ['approval']],
    ]);
    expect(await named('failed-run')).toEqual([['broken', ['failed-run']]]);
    for (const contextId of ['approved', 'broken'])
      await written(`/v1/contexts/${contextId}/close?cancelRun=true`);
  });

  it('have live decisions that depend on a superseded one, also in a fork', async () => {
    const path = await server.context('stale');
    const { decisionId } = await written(`${path}/decisions`, decision('store'));
    const relatedDecisions = [{ decisionId, relation: 'requires' }];
    const cited = await written(`${path}/decisions`, decision('backup', { relatedDecisions }));
    expect(await named('any')).toEqual([]);
    await written(`${path}/decisions`, decision('store', { supersedes: decisionId }));
    await written(`${path}/forks`, { atVersion: 4, contextId: 'stale-fork' });
    const reasons = ['stale-decision'];
    expect(await named('stale-decision')).toEqual([
      ['stale-fork', reasons],
      ['stale', reasons],
    ]);
    await written(`${path}/decisions`, decision('backup', { supersedes: cited.decisionId }));
    expect(await named('any')).toEqual([['stale-fork', reasons]]);
    await written('/v1/contexts/stale-fork/close');
  });

  it('have more tokens than the threshold, and are listed page by page', async () => {
    for (const contextId of ['large-1', 'small', 'large-2', 'large-3']) {
      const path = await server.context(contextId);
      const output = 'x'.repeat(4 * (contextId === 'small' ? 40_000 : 51_000));
      await written(`${path}/step-outputs`, { stepId: 'a', output });
    }
    const first = await page('attention=oversized&limit=2');
    expect(first.found.map(([contextId]) => contextId)).toEqual(['large-3', 'large-2']);
    const cursor = encodeURIComponent(String(first.nextCursor));
    const second = await page(`attention=oversized&limit=2&cursor=${cursor}`);
    expect(second).toEqual({ found: [['large-1', ['oversized']]], nextCursor: null });
    expect(await named('any&q=small')).toEqual([]);
  });

  it('are not listed for a narrower audience, and not for an unknown reason', async () => {
    const key = await server.key({ role: 'agent', agentId: 'r', audiences: ['reviewer'] });
    const narrow = await server.get('/v1/contexts?attention=any', { key });
    expect([narrow.status, narrow.body.errors[0].pointer]).toEqual([422, '/attention']);
    const unknown = await server.get('/v1/contexts?attention=sad');
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '/attention']);
  });
});
