import { waitFor } from '#testing';

import { eventsOf, keyOfCoder, dependentWorkflow, startRun } from './narrow-worker.js';
import { ThroughlineServer } from './throughline-server.js';

const contextId = 'hidden';
let server: ThroughlineServer;
let narrow: string;

beforeAll(async () => {
  server = await ThroughlineServer.start({ THROUGHLINE_RUN_HIDDEN_INPUT_MS: '500' });
  narrow = await keyOfCoder(server, [dependentWorkflow]);
}, 120_000);

afterAll(() => server.stop());

async function start(): Promise<void> {
  await startRun(server, contextId, dependentWorkflow.id);
  const body = { agents: ['planner'], wait: 10 };
  const { attemptToken } = (await server.post('/v1/work/claim', body)).body;
  const report = { attemptToken, output: 'zebra' };
  expect((await server.post('/v1/work/complete', report)).status).toBe(201);
}

describe('a step with inputs that are hidden from its worker', () => {
  it('fails before its start if no worker with access claims it', async () => {
    await start();

    const run = await waitFor(
      'the end of the run',
      async () => {
        const body = { agents: ['coder'], wait: 1 };
        const { status } = await server.call('POST', '/v1/work/claim', { body, key: narrow });
        expect(status).toBe(204);
        return (await server.get(`/v1/contexts/${contextId}/run`)).body;
      },
      { until: ({ status }) => status !== 'running' },
    );
    expect(run).toMatchObject({ status: 'failed', failedStep: { stepId: 'code' } });
    const events = await eventsOf(server, contextId);
    const ofCode = events.filter(({ data }) => data['stepId'] === 'code');
    expect(ofCode.map(({ type }) => type)).toEqual([
      'StepScheduled',
      'StepAttemptFailed',
      'StepRouted',
      'RunFailed',
    ]);
    expect(ofCode[1]?.data).toMatchObject({ code: 'hidden-input', attempt: 1, retryable: false });
    expect(String(run.reason)).toMatch(/its input "plan" is hidden from "coder"/);
    const visible = JSON.stringify(await eventsOf(server, contextId, narrow));
    expect(visible).toContain('hidden-input');
    expect(visible).not.toMatch(/zebra|is hidden from/);
  });
});
