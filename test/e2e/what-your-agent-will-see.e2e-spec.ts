import { proveHttpPage } from './docs/http-page.js';
import { patient } from './docs/patient-server.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

it(
  'docs/what-your-agent-will-see.md shows every view as it is, byte for byte',
  () => proveHttpPage('what-your-agent-will-see.md', patient(server)),
  60_000,
);
