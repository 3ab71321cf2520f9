import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

describe('agents that pass structured work to each other', () => {
  it(
    'go through the session of the page, which shows what they get',
    () => proveHttpPage('context-engine.md', server),
    120_000,
  );
});
