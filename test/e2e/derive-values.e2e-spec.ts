import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

it(
  'docs/derive-values.md shows the real answers to its requests',
  () => proveHttpPage('derive-values.md', server),
  120_000,
);
