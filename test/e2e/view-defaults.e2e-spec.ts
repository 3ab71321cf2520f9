import { ThroughlineServer } from './throughline-server.js';

const outputs = 12;
const words = (at: number) => Array.from({ length: 200 }, (_, n) => `word${at}x${n}`).join(' ');

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start({
    THROUGHLINE_VIEW_MAX_TOKENS: '2500',
    THROUGHLINE_VIEW_TOKENIZER: 'cl100k_base',
    THROUGHLINE_VIEW_WHOLE_OUTPUTS: '1',
  });
}, 120_000);

afterAll(() => server.stop());

type Told = Readonly<{ form: string }>;

/** What a view was made by, as its receipt says, and how many of the newest it tells whole. */
async function made(key: string, asked: Readonly<Record<string, string>> = {}) {
  const path = `/v1/contexts/c/view?${new URLSearchParams(asked)}`;
  const { status, body } = await server.get(path, { key });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const { body: receipt } = await server.get(`/v1/receipts/${body.receipt}`, { key });
  const { maxTokens, tokenizer, wholeOutputs } = receipt.parameters;
  expect(body).toMatchObject({ maxTokens, tokenizer });
  const shortened = body.items.findLastIndex(({ form }: Told) => form !== 'whole');
  const newestWhole = body.items.length - 1 - shortened;
  return { by: [maxTokens, tokenizer, wholeOutputs], newestWhole };
}

describe('defaults of views', () => {
  it('are those of the environment, the workspace, the agent and the request, each for itself: the nearest wins', async () => {
    const workspace = 'near';
    const admin = await server.key({ role: 'admin', workspace });
    const agent = await server.key({ role: 'agent', agentId: 'reader', workspace });
    await server.post('/v1/contexts', { contextId: 'c' }, { key: admin });
    for (let at = 0; at < outputs; at++) {
      const body = { stepId: `s-${at}`, output: words(at) };
      await server.post('/v1/contexts/c/step-outputs', body, { key: admin });
    }
    const settings = (body: object) => server.call('PATCH', '/v1/settings', { key: admin, body });
    const register = (view: object) => {
      const definition = { name: 'Reader', role: 'reads', kind: 'llm', view };
      return server.call('PUT', '/v1/agents/reader', { key: admin, body: definition });
    };
    const byOf = async (asked = {}) => (await made(agent, asked)).by;

    const environment = [2_500, 'cl100k_base', 1];
    expect(await byOf()).toEqual(environment);
    await settings({ viewMaxTokens: 2_400 });
    expect(await byOf()).toEqual([2_400, 'cl100k_base', 1]);
    await settings({ viewTokenizer: 'chars4', viewWholeOutputs: 2 });
    expect(await byOf()).toEqual([2_400, 'chars4', 2]);

    await register({ maxTokens: 2_300 });
    expect(await byOf()).toEqual([2_300, 'chars4', 2]);
    await register({ tokenizer: 'o200k_base' });
    expect(await byOf()).toEqual([2_400, 'o200k_base', 2]);
    await register({ wholeOutputs: 4 });
    expect(await byOf()).toEqual([2_400, 'chars4', 4]);
    await register({ maxTokens: 2_300, tokenizer: 'o200k_base', wholeOutputs: 4 });
    expect(await byOf()).toEqual([2_300, 'o200k_base', 4]);
    // Whoever is not that agent reads as the workspace says.
    expect((await made(admin)).by).toEqual([2_400, 'chars4', 2]);

    expect(await byOf({ maxTokens: '2200' })).toEqual([2_200, 'o200k_base', 4]);
    expect(await byOf({ tokenizer: 'cl100k_base' })).toEqual([2_300, 'cl100k_base', 4]);
    expect(await byOf({ wholeOutputs: '0' })).toEqual([2_300, 'o200k_base', 0]);
    const all = { maxTokens: '2200', tokenizer: 'chars4', wholeOutputs: '5' };
    expect(await byOf(all)).toEqual([2_200, 'chars4', 5]);

    await settings({ viewMaxTokens: null, viewTokenizer: null, viewWholeOutputs: null });
    expect((await made(admin)).by).toEqual(environment);
    expect(await byOf()).toEqual([2_300, 'o200k_base', 4]);
  });

  it('say how many of the newest outputs stay whole while they fit', async () => {
    const key = await server.key({ role: 'admin', workspace: 'near' });
    const wholeOf = async (wholeOutputs: number) => {
      const asked = { maxTokens: '6000', tokenizer: 'o200k_base' };
      return (await made(key, { ...asked, wholeOutputs: String(wholeOutputs) })).newestWhole;
    };
    for (const wholeOutputs of [1, 2, 3, 4])
      expect(await wholeOf(wholeOutputs)).toBeGreaterThanOrEqual(wholeOutputs);
    // All of them do not fit.
    const most = await wholeOf(outputs);
    expect(most).toBeGreaterThan(await wholeOf(0));
    expect(most).toBeGreaterThanOrEqual(4);
    expect(most).toBeLessThan(outputs);
  });
});
