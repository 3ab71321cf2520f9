import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-e2e-'));
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const brief = { problem_statement: 'nobody finds the sign-in page', core_features: ['sign in'] };

/** Creates a context: an analyst completes, a pm completes half of its work and then fails. */
async function halfDone(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  const as = (agentId: string) => ({
    start: (stepId: string) => server.post(`${path}/steps/${stepId}/start`, { agentId }),
    complete: (stepId: string, output: unknown) =>
      server.post(`${path}/step-outputs`, { agentId, stepId, output, name: stepId }),
    fail: (stepId: string, reason: string) =>
      server.post(`${path}/steps/${stepId}/fail`, { agentId, reason, tried: ['one big prompt'] }),
  });
  const [analyst, pm] = [as('analyst'), as('pm')];
  await analyst.start('project_brief');
  await analyst.complete('project_brief', brief);
  await pm.start('prd');
  await pm.complete('prd', { functional_requirements: ['F-1'] });
  await pm.start('stories');
  await pm.fail('stories', 'the answer was cut off');
  return path;
}

const outputsOf = async (path: string) => (await server.get(path)).body.stepOutputs;

describe('after an agent has failed half way', () => {
  it('all completed work remains readable', async () => {
    const path = await halfDone('kept');
    const { body } = await server.get(path);
    expect(body.stepOutputs).toEqual({
      project_brief: brief,
      prd: { functional_requirements: ['F-1'] },
    });
    expect(body.currentState).toMatchObject({ status: 'failed', activeAgent: null });
    const failed = await server.get(`${path}/step-outputs/stories`);
    expect([failed.status, failed.text]).toEqual([200, 'null']);
  });

  it('the failed step can be repeated alone, without repeating completed work', async () => {
    const path = await halfDone('resumed');
    const before = await server.get(`${path}/step-outputs/prd?all=true`);
    await server.post(`${path}/steps/stories/start`, { agentId: 'pm' });
    await server.post(`${path}/step-outputs`, {
      agentId: 'pm',
      stepId: 'stories',
      output: ['US-1'],
    });
    const { body } = await server.get(path);
    expect(Object.keys(body.stepOutputs)).toEqual(['project_brief', 'prd', 'stories']);
    expect(body.currentState.status).toBe('completed');
    expect((await server.get(`${path}/step-outputs/prd?all=true`)).body).toEqual(before.body);
  });

  it('an output remains the latest one if its step fails later', async () => {
    const path = await halfDone('shown');
    await server.post(`${path}/steps/prd/fail`, { agentId: 'pm', reason: 'a second try' });
    expect((await outputsOf(path)).prd).toEqual({ functional_requirements: ['F-1'] });
  });

  it("restoring the last checkpoint removes the failure and retains the agent's completed work", async () => {
    const path = await halfDone('checkpointed');
    await server.post(`${path}/step-outputs`, { agentId: 'dev', stepId: 'spoilt', output: 'bad' });
    const answer = await server.post(`${path}/restore`, { checkpoint: 'after:pm' });
    expect(answer.status).toBe(201);
    const { body } = await server.get(path);
    expect(Object.keys(body.stepOutputs)).toEqual(['project_brief', 'prd']);
    expect(body.currentState.status).toBe('completed');
    expect((await server.get(`${path}/check`)).body.findings).not.toContainEqual(
      expect.objectContaining({ code: 'step-failed' }),
    );
  });

  it('a fork continues from the checkpoint, and the failed session remains for analysis', async () => {
    const path = await halfDone('analysed');
    const run = (...args: string[]) => throughlineOn(server, args, {}, directory);
    const forked = await run('context', 'fork', 'analysed', 'retried', '--checkpoint', 'after:pm');
    expect(forked).toMatchObject({ code: 0, out: 'forked analysed at after:pm as retried' });
    expect(await outputsOf('/v1/contexts/retried')).toEqual(await outputsOf(path));
    expect((await server.get('/v1/contexts/retried')).body.currentState.status).toBe('completed');
    expect((await server.get(path)).body.currentState.status).toBe('failed');
    const listed = await run('checkpoint', 'list', 'analysed');
    expect(listed.out).toMatch(/^after:pm +5 .*\(automatic\)$/m);
  });
});
