import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type Told = Readonly<{ ref: string; form: string }>;

const words = (seed: string, count = 40) =>
  Array.from({ length: count }, (_, n) => `${seed}${n}`).join(' ');

async function view(contextId: string, maxTokens: number) {
  const { status, body } = await server.get(
    `/v1/contexts/${contextId}/view?maxTokens=${maxTokens}`,
  );
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

describe('what gives way in a view', () => {
  it('of a live decision is what else was considered, then what was said for it, and never its text', async () => {
    const path = await server.context('argued');
    await server.post(`${path}/decisions`, {
      topic: 'log',
      decision: 'Use one log',
      rationale: words('because'),
      alternativesConsidered: [words('other')],
      tradeOffs: [words('but')],
    });
    const told = async (maxTokens: number) => {
      const { text } = await view('argued', maxTokens);
      const parts = ['Use one log', 'because39', 'other39', 'but39'];
      return parts.filter((part) => text.includes(part));
    };
    const { tokens } = await view('argued', 50_000);
    expect(await told(tokens)).toEqual(['Use one log', 'because39', 'other39', 'but39']);
    expect(await told(tokens - 1)).toEqual(['Use one log', 'because39']);
    expect(await told(100)).toEqual(['Use one log']);
  });

  it('are older outputs first, then superseded decisions and other history, and live decisions last', async () => {
    const path = await server.context('ordered');
    const decide = (decision: string, more = {}) =>
      server.post(`${path}/decisions`, {
        topic: 'log',
        decision: words(decision),
        rationale: words(`for-${decision}`),
        ...more,
      });
    await decide('first');
    await decide('second', { supersedes: 'DEC-001' });
    for (let at = 0; at < 6; at++) {
      const text = words(`needed${at}x`);
      await server.post(`${path}/step-outputs`, { stepId: `s-${at}`, output: words(`done${at}x`) });
      await server.post(`${path}/requirements`, {
        requirementId: `R-${at}`,
        kind: 'functional',
        text,
      });
    }
    const formsAt = async (maxTokens: number) => {
      const { items } = await view('ordered', maxTokens);
      const forms = new Map(items.map(({ ref, form }: Told) => [ref, form]));
      const of = ['step-output:s-0', 'requirement:R-0', 'decision:DEC-001', 'decision:DEC-002'];
      return of.map((ref) => forms.get(ref));
    };
    const { tokens } = await view('ordered', 50_000);
    const [output, other, , live] = await formsAt(tokens - 1);
    expect([output, live]).toEqual(['line', 'whole']);
    expect(['whole', 'digest']).toContain(other);
    const half = await formsAt(Math.ceil(tokens / 2));
    // What is older is in a roll-up before one of the newest outputs gives way.
    expect(half).toEqual([undefined, undefined, 'line', 'whole']);
    const { text, items } = await view('ordered', Math.ceil(tokens / 2));
    const told = new Map(items.map(({ ref, form }: Told) => [ref, form]));
    expect(told.get('rollup:1-15')).toBe('rollup');
    for (const at of [3, 4, 5]) expect(told.get(`step-output:s-${at}`)).toBe('whole');
    expect(text).toMatch(/^- v2 `decision:DEC-001` by `admin`, superseded, by `DEC-002`/m);
    expect(text).toContain(words('second'));
  });
});

describe('who cites a receipt', () => {
  it('is told of what its audience sees, however much is hidden before it', async () => {
    const show = [{ types: ['*'], visibility: ['record'] }];
    await server.call('PUT', '/v1/policies/onlooker', { body: { show } });
    const path = await server.context('cited');
    const key = await server.key({ role: 'agent', audiences: ['onlooker'] });
    const read = await server.get(`${path}/view`, { key });
    const headers = { 'based-on': read.body.receipt };
    const add = (stepId: string, visibility: string) =>
      server.post(`${path}/step-outputs`, { stepId, output: 1, visibility }, { headers });
    for (let at = 0; at < 101; at++) expect((await add(`n-${at}`, 'working')).status).toBe(201);
    expect((await add('seen', 'record')).status).toBe(201);
    const { body } = await server.get(`/v1/receipts/${read.body.receipt}`, { key });
    expect(body).toMatchObject({ citedBy: [{ version: 103 }], citedByTruncated: false });
  });
});
