import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type ViewItem = Readonly<{ ref: string; form: string }>;

const words = (seed: string, count = 40) =>
  Array.from({ length: count }, (_, n) => `${seed}${n}`).join(' ');

async function view(contextId: string, maxTokens: number) {
  const { status, body } = await server.get(
    `/v1/contexts/${contextId}/view?maxTokens=${maxTokens}`,
  );
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

describe('the order of shortening in a view', () => {
  it('begins with the alternatives of a live decision, then its rationale, and excludes its text', async () => {
    const path = await server.context('argued');
    await server.post(`${path}/decisions`, {
      topic: 'log',
      decision: 'Use one log',
      rationale: words('because'),
      alternativesConsidered: [words('other')],
      tradeOffs: [words('but')],
    });
    const items = async (maxTokens: number) => {
      const { text } = await view('argued', maxTokens);
      const parts = ['Use one log', 'because39', 'other39', 'but39'];
      return parts.filter((part) => text.includes(part));
    };
    const { tokens } = await view('argued', 50_000);
    expect(await items(tokens)).toEqual(['Use one log', 'because39', 'other39', 'but39']);
    expect(await items(tokens - 1)).toEqual(['Use one log', 'because39']);
    expect(await items(100)).toEqual(['Use one log']);
  });

  it('is older outputs, then superseded decisions and other history, then live decisions', async () => {
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
      const forms = new Map(items.map(({ ref, form }: ViewItem) => [ref, form]));
      const of = ['step-output:s-0', 'requirement:R-0', 'decision:DEC-001', 'decision:DEC-002'];
      return of.map((ref) => forms.get(ref));
    };
    const { tokens } = await view('ordered', 50_000);
    const [output, other, , liveTexts] = await formsAt(tokens - 1);
    expect([output, liveTexts]).toEqual(['line', 'whole']);
    expect(['whole', 'digest']).toContain(other);
    const halfBudget = await formsAt(Math.ceil(tokens / 2));
    // Older entries are in a roll-up before one of the newest outputs is shortened.
    expect(halfBudget).toEqual([undefined, undefined, 'line', 'whole']);
    const { text, items } = await view('ordered', Math.ceil(tokens / 2));
    const formOf = new Map(items.map(({ ref, form }: ViewItem) => [ref, form]));
    expect(formOf.get('rollup:1-15')).toBe('rollup');
    for (const at of [3, 4, 5]) expect(formOf.get(`step-output:s-${at}`)).toBe('whole');
    expect(text).toMatch(/^- v2 `decision:DEC-001` by `admin`, superseded, by `DEC-002`/m);
    expect(text).toContain(words('second'));
  });
});

describe('a writer that cites a receipt', () => {
  it('gets the stale decisions that its audience sees, regardless of hidden events before them', async () => {
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
