import {
  type ClientEvent,
  isThroughlineError,
  Throughline,
  type ThroughlineOptions,
} from '@throughline/sdk';

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

/** An event that is hidden from reviewers. */
const hidden = (stepId: string): ClientEvent => ({
  type: 'StepOutputAdded',
  visibility: 'working',
  data: { stepId, output: 'a hidden draft' },
});

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

  it('lets the agent that lost a race decide again with the missed events', async () => {
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

  it('lets an agent of a narrower audience rebase on hidden events, without revealing them', async () => {
    const writer = await agent('author');
    const key = await server.key({ role: 'agent', agentId: 'critic', audiences: ['reviewer'] });
    const critic = new Throughline({ url: server.url, key }).context('reviewed');
    await writer.contexts.create({ contextId: 'reviewed' });
    const author = writer.context('reviewed');
    // Two events that are hidden from reviewers, with a visible one between them.
    const race = async () => {
      await author.append([hidden('secret-1')]);
      await author.decisions.record({ topic: 'storage', decision: 'Cookies' });
      await author.append([hidden('secret-2')]);
    };
    const calls: unknown[] = [];
    const written = await critic.update(async (document, facts) => {
      calls.push({ document, ...facts });
      if (facts.attempt === 1) await race();
      return [{ type: 'StepOutputAdded', data: { stepId: 'review', output: 'fine' } }];
    });
    expect(calls).toMatchObject([
      { attempt: 1, version: 1, missed: [] },
      { attempt: 2, version: 4, missed: [{ type: 'DecisionRecorded', version: 3 }] },
    ]);
    expect(JSON.stringify(calls)).not.toMatch(/secret|hidden draft/);
    expect(written.version).toBe(5);
  });

  it('reports only the versions of a conflict with hidden events to an agent of a narrower audience', async () => {
    const writer = await agent('lone-author');
    const key = await server.key({ role: 'agent', agentId: 'critic', audiences: ['reviewer'] });
    const critic = new Throughline({ url: server.url, key }).context('reviewed-once');
    await writer.contexts.create({ contextId: 'reviewed-once' });
    const author = writer.context('reviewed-once');
    const update = critic.update(
      async () => {
        await author.append([hidden('secret-1'), hidden('secret-2')]);
        return [{ type: 'StepOutputAdded', data: { stepId: 'review', output: 'fine' } }];
      },
      { onConflict: 'fail' },
    );
    const error = await update.catch((caught: unknown) => caught);
    if (!isThroughlineError(error, 'version-conflict')) throw error;
    expect(error).toMatchObject({
      expectedVersion: 1,
      currentVersion: 3,
      missed: [],
      missedTruncated: false,
    });
    expect(error.text).not.toMatch(/secret|hidden draft|StepOutputAdded|lone-author/);
  });

  it('rejects with the conflict if it must not rebase', async () => {
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
