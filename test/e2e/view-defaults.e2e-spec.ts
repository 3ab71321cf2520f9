import { ThroughlineServer } from './throughline-server.js';

const outputs = 12;
const words = (index: number) =>
  Array.from({ length: 200 }, (_, n) => `word${index}x${n}`).join(' ');

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start({
    THROUGHLINE_VIEW_MAX_TOKENS: '2500',
    THROUGHLINE_VIEW_TOKENIZER: 'cl100k_base',
    THROUGHLINE_VIEW_WHOLE_OUTPUTS: '1',
  });
}, 120_000);

afterAll(() => server.stop());

type ViewItem = Readonly<{ form: string }>;

/** The parameters of a view in its receipt, and the number of newest outputs that it contains in full. */
async function parametersOf(key: string, query: Readonly<Record<string, string>> = {}) {
  const path = `/v1/contexts/c/view?${new URLSearchParams(query)}`;
  const { status, body } = await server.get(path, { key });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const { body: receipt } = await server.get(`/v1/receipts/${body.receipt}`, { key });
  const { maxTokens, tokenizer, wholeOutputs } = receipt.parameters;
  expect(body).toMatchObject({ maxTokens, tokenizer });
  const shortened = body.items.findLastIndex(({ form }: ViewItem) => form !== 'whole');
  const newestInFull = body.items.length - 1 - shortened;
  return { by: [maxTokens, tokenizer, wholeOutputs], newestWhole: newestInFull };
}

describe('defaults of views', () => {
  it('come from the environment, the workspace, the agent and the request: each parameter from the nearest one', async () => {
    const workspace = 'near';
    const admin = await server.key({ role: 'admin', workspace });
    const agent = await server.key({ role: 'agent', agentId: 'reader', workspace });
    await server.post('/v1/contexts', { contextId: 'c' }, { key: admin });
    for (let index = 0; index < outputs; index++) {
      const body = { stepId: `s-${index}`, output: words(index) };
      await server.post('/v1/contexts/c/step-outputs', body, { key: admin });
    }
    const settings = (body: object) => server.call('PATCH', '/v1/settings', { key: admin, body });
    const register = (view: object) => {
      const definition = { name: 'Reader', role: 'reads', kind: 'llm', view };
      return server.call('PUT', '/v1/agents/reader', { key: admin, body: definition });
    };
    const byOf = async (query = {}) => (await parametersOf(agent, query)).by;

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
    // Other agents get the defaults of the workspace.
    expect((await parametersOf(admin)).by).toEqual([2_400, 'chars4', 2]);

    expect(await byOf({ maxTokens: '2200' })).toEqual([2_200, 'o200k_base', 4]);
    expect(await byOf({ tokenizer: 'cl100k_base' })).toEqual([2_300, 'cl100k_base', 4]);
    expect(await byOf({ wholeOutputs: '0' })).toEqual([2_300, 'o200k_base', 0]);
    const all = { maxTokens: '2200', tokenizer: 'chars4', wholeOutputs: '5' };
    expect(await byOf(all)).toEqual([2_200, 'chars4', 5]);

    await settings({ viewMaxTokens: null, viewTokenizer: null, viewWholeOutputs: null });
    expect((await parametersOf(admin)).by).toEqual(environment);
    expect(await byOf()).toEqual([2_300, 'o200k_base', 4]);
  });

  it('include the number of newest outputs that remain in full if they fit', async () => {
    const key = await server.key({ role: 'admin', workspace: 'near' });
    const wholeOutputsOf = async (wholeOutputs: number) => {
      const query = { maxTokens: '6000', tokenizer: 'o200k_base' };
      return (await parametersOf(key, { ...query, wholeOutputs: String(wholeOutputs) }))
        .newestWhole;
    };
    for (const wholeOutputs of [1, 2, 3, 4])
      expect(await wholeOutputsOf(wholeOutputs)).toBeGreaterThanOrEqual(wholeOutputs);
    // Not all of them fit.
    const maximum = await wholeOutputsOf(outputs);
    expect(maximum).toBeGreaterThan(await wholeOutputsOf(0));
    expect(maximum).toBeGreaterThanOrEqual(4);
    expect(maximum).toBeLessThan(outputs);
  });
});
