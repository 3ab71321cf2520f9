import { isThroughlineError, Throughline, type ThroughlineOptions } from '@throughline/sdk';

import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

async function agent(agentId: string, options: Partial<ThroughlineOptions> = {}) {
  const key = await server.key({ role: 'agent', agentId });
  return new Throughline({ url: server.url, key, ...options });
}

describe('the client', () => {
  it('writes and reads a context', async () => {
    const architect = await agent('architect');
    await architect.contexts.create({ contextId: 'login', title: 'A login page' });
    const context = architect.context('login');
    const { receipt } = await context.view({ maxTokens: 2_000 });
    const recorded = await context.decisions.record({
      topic: 'storage',
      decision: 'Cookies',
      basedOn: receipt,
    });
    expect(recorded).toMatchObject({ version: 2, decisionId: 'DEC-001' });
    await context.steps.complete('design', { screens: 3 });
    const document = await context.get();
    expect(document.stepOutputs).toEqual({ design: { screens: 3 } });
    expect(await context.decisions.list().all()).toMatchObject([{ decision: 'Cookies' }]);
    const [, , output] = await context.events().all();
    expect(output).toMatchObject({ type: 'StepOutputAdded', principal: 'architect' });
    expect(await architect.me()).toMatchObject({ agentId: 'architect' });
    expect(await context.view({ format: 'markdown' })).toContain('Cookies');
  });

  it('has the agent that lost a race decide again on what it missed', async () => {
    const [first, second] = [await agent('one'), await agent('two')];
    await first.contexts.create({ contextId: 'raced' });
    const calls: unknown[] = [];
    const written = await second
      .context('raced')
      .update(async (document, { missed, attempt, version }) => {
        calls.push({ attempt, version, missed: missed.map(({ type }) => type) });
        if (attempt === 1) await first.context('raced').steps.complete('plan', 'A');
        const count = Object.keys(document.stepOutputs).length;
        return [{ type: 'StepOutputAdded', data: { stepId: 'build', output: count } }];
      });
    expect(calls).toEqual([
      { attempt: 1, version: 1, missed: [] },
      { attempt: 2, version: 2, missed: ['StepOutputAdded'] },
    ]);
    expect(written.version).toBe(3);
    const stored = await first.context('raced').steps.get('build');
    expect(stored).toMatchObject({ output: 1, recordedBy: 'two' });
  });

  it('rejects with the conflict if it is not to rebase', async () => {
    const writer = await agent('lone');
    await writer.contexts.create({ contextId: 'strict' });
    const context = writer.context('strict');
    const update = context.update(
      async () => {
        await context.steps.complete('plan', 'A');
        return [{ type: 'StepOutputAdded', data: { stepId: 'build', output: 'B' } }];
      },
      { onConflict: 'fail' },
    );
    const error = await update.catch((caught: unknown) => caught);
    if (!isThroughlineError(error, 'version-conflict')) throw error;
    expect(error).toMatchObject({ expectedVersion: 1, currentVersion: 2, missedTruncated: false });
    expect(error.missed).toMatchObject([{ type: 'StepOutputAdded', version: 2 }]);
  });
});
