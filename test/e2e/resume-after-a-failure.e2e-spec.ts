import { proveAgentTurns } from './docs/agent-turns.js';
import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('docs/resume-after-a-failure.md', () => {
  it(
    'shows the real answers to its requests',
    () => proveHttpPage('resume-after-a-failure.md', server),
    120_000,
  );

  it('has one read and one batch in each turn of an agent', () =>
    proveAgentTurns('resume-after-a-failure.md'));
});
