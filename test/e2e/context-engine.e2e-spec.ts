import { proveAgentTurns } from './docs/agent-turns.js';
import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('agents that exchange structured work', () => {
  it('get the answers of the page', () => proveHttpPage('context-engine.md', server), 120_000);

  it('take one read and one batch per turn', () => proveAgentTurns('context-engine.md'));

  it('get no values derived from working notes if their audience is limited to the record', async () => {
    const path = await server.context('working');
    const key = await server.key({ role: 'agent', agentId: 'analyst' });
    const retrospective = await server.key({ role: 'agent', audiences: ['retrospective'] });
    const output = {
      structured_data: { core_features: ['a'], target_users: [], technical_constraints: [] },
    };
    const brief = { stepId: 'analysis', name: 'project_brief', output };
    const derived = async (reader?: string) => {
      const { body } = await server.get(path, reader === undefined ? {} : { key: reader });
      return Object.keys(body.derived);
    };
    await server.post(`${path}/step-outputs`, { ...brief, visibility: 'working' }, { key });
    expect(await derived()).toContain('project_metadata.complexity_score');
    expect(await derived(retrospective)).toEqual([]);
    await server.post(`${path}/step-outputs`, brief, { key });
    expect(await derived(retrospective)).toEqual(await derived());
  });
});
