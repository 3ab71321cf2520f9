import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

const pages = [
  'record-requirements.md',
  'record-decisions.md',
  'review-work.md',
  'limit-iterations.md',
  'plan-and-track-tasks.md',
];

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

it.each(pages)(
  'docs/%s shows the real answers to its requests',
  (page) => proveHttpPage(page, server),
  120_000,
);
