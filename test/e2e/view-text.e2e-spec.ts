import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type ViewItem = Readonly<{ ref: string; form: string }>;
type BudgetRefusal = Readonly<{ minimumTokens: number }>;

const words = (seed: string, count = 40) =>
  Array.from({ length: count }, (_, n) => `${seed}${n}`).join(' ');

async function view(contextId: string, query: Readonly<Record<string, string>>, options = {}) {
  const path = `/v1/contexts/${contextId}/view?${new URLSearchParams(query)}`;
  const { status, body } = await server.get(path, options);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

describe('the text of a view', () => {
  beforeAll(async () => {
    const path = await server.context('steady');
    await server.post(`${path}/phases/build/start`);
    await server.call('PATCH', `${path}/preferences`, { body: { tone: 'dry' } });
    for (let at = 0; at < 30; at++) {
      const output = words(`done${at}x`, 60);
      await server.post(`${path}/step-outputs`, { stepId: `s-${at}`, output });
      if (at === 3) await server.post(`${path}/tasks`, { taskId: 'T-1', title: 'open since then' });
      if (at === 5) await server.post(`${path}/decisions`, { topic: 't', decision: 'to go on' });
      if (at === 7) await server.post(`${path}/handovers`, { to: 'qa', note: 'mind the lock' });
    }
  }, 120_000);

  it('is in order of versions, with frequently changing parts after it, and the state at the end', async () => {
    for (const maxTokens of ['50000', '3000', '1500']) {
      const { text } = await view('steady', { maxTokens });
      const lines: readonly string[] = text.trimEnd().split('\n');
      const isEntry = (line: string) => /^(## v|- v)\d+ /.test(line);
      // A roll-up is at the place of its last entry; one that will grow is before the entries of its versions.
      const versionOf = (line: string) => {
        const [, from, to] = /v(\d+)(?: to v(\d+))? /.exec(line)?.map(Number) ?? [];
        return to && to % 16 === 0 ? to : from;
      };
      const versions = lines.filter(isEntry).map(versionOf);
      expect(versions.length).toBeGreaterThan(5);
      expect(versions).not.toContain(undefined);
      expect(versions).toEqual(versions.toSorted((left, right) => Number(left) - Number(right)));
      const last = lines.findLastIndex(isEntry);
      for (const often of ['preference `tone`', 'task planned `task:T-1`', 'open handover to `qa`'])
        expect([often, lines.findIndex((line) => line.includes(often)) > last]).toEqual([
          often,
          true,
        ]);
      expect(lines.at(-1)).toMatch(/^## state: /);
      expect(lines.at(-1)).toContain('build');
    }
  });

  it('depends on version, audience and parameters only, not on clock, reader or request', async () => {
    const first = await view('steady', { maxTokens: '2000' });
    const key = await server.key({ role: 'agent', agentId: 'somebody' });
    const { body: document } = await server.get('/v1/contexts/steady');
    const again = [
      await view('steady', { tokenizer: 'o200k_base', overflow: 'minimum', maxTokens: '2000' }),
      await view('steady', { maxTokens: '2000', asOf: String(first.version) }),
      await view('steady', { maxTokens: '2000', wholeOutputs: '3' }, { key }),
      await view(
        'steady',
        { maxTokens: '2000', audience: 'all' },
        { headers: { 'x-request-id': 'r-1' } },
      ),
    ];
    for (const { text, tokens, items } of again)
      expect({ text, tokens, items }).toEqual({
        text: first.text,
        tokens: first.tokens,
        items: first.items,
      });
    const { createdAt, _lastModifiedAt: modifiedAt } = document;
    for (const time of [createdAt, modifiedAt, createdAt.slice(0, 10)])
      expect(first.text).not.toContain(time);
    expect(first.text).not.toContain('somebody');
  });
});

describe('protected parts beyond a budget', () => {
  const decisions = 12;
  const ruleText = (at: number) => words(`rule${at}x`, 30);

  beforeAll(async () => {
    const path = await server.context('strict');
    for (let at = 0; at < decisions; at++)
      await server.post(`${path}/decisions`, { topic: `t-${at}`, decision: ruleText(at) });
  });

  it('are refused only below the reported minimum, exactly to the token', async () => {
    const path = '/v1/contexts/strict/view';
    const { status, body } = await server.get(`${path}?maxTokens=10`);
    const { minimumTokens }: BudgetRefusal = body;
    expect([status, body.type]).toEqual([422, '/problems/budget-too-small']);
    expect((await server.get(`${path}?maxTokens=${minimumTokens - 1}`)).status).toBe(422);
    const { text, tokens } = await view('strict', { maxTokens: String(minimumTokens) });
    expect(tokens).toBe(minimumTokens);
    expect(text).toContain(`${decisions} live decisions`);
    const query = { maxTokens: String(minimumTokens - 1), overflow: 'minimum' };
    const minimum = await view('strict', query);
    expect(minimum.tokens).toBeLessThan(minimumTokens);
    expect(minimum.items).toHaveLength(1);
  });

  it('are shortened to lines, the oldest first; each has a ref or is counted under one', async () => {
    const { text, tokens, items } = await view('strict', { maxTokens: '1300' });
    expect(tokens).toBeLessThanOrEqual(1_300);
    expect(items).toHaveLength(decisions);
    const full = Array.from({ length: decisions }, (_, at) => text.includes(ruleText(at)));
    const firstInFull = full.indexOf(true);
    expect(firstInFull).toBeGreaterThan(0);
    expect(full.slice(firstInFull)).not.toContain(false);
    const counted = await view('strict', { maxTokens: '300' });
    const remaining = counted.items.find(({ form }: ViewItem) => form === 'rollup');
    expect(counted.text).toContain(`${decisions + 1 - counted.items.length} more live decisions`);
    const { body } = await server.get(`/v1/contexts/strict/items/${remaining.ref}`);
    expect(body.items).toHaveLength(decisions + 1 - counted.items.length);
  });
});

describe('an agent that writes without limits', () => {
  let key: string;
  const refOf = ({ ref }: ViewItem) => `/v1/contexts/flooded/items/${encodeURIComponent(ref)}`;

  beforeAll(async () => {
    const path = await server.context('flooded');
    await server.post(`${path}/decisions`, { topic: 'storage', decision: 'One log for all.' });
    await server.post(`${path}/step-outputs`, { stepId: 'design', output: words('planned') });
    const flooder = await server.key({ role: 'agent', agentId: 'flooder' });
    const book = `Keep files. ${'All of them, for ever, and again. '.repeat(12_000)}`;
    await server.post(`${path}/decisions`, { topic: 'files', decision: book }, { key: flooder });
    const names = Array.from({ length: 8_000 }, (_, at) => [`preference ${at}`, words('v', 6)]);
    const body = Object.fromEntries(names);
    await server.call('PATCH', `${path}/preferences`, { body, key: flooder });
    key = await server.key({ role: 'agent', agentId: 'builder' });
  }, 120_000);

  it('does not prevent views of others: they have the entries of others in full, and refs to its entries', async () => {
    const { text, tokens, items } = await view('flooded', {}, { key });
    expect(tokens).toBeLessThanOrEqual(50_000);
    expect(text).toContain('One log for all.\n');
    expect(text).toContain(words('planned'));
    const short = items.find(({ ref }: ViewItem) => ref === 'decision:DEC-002');
    const remaining = items.find(({ form }: ViewItem) => form === 'rollup');
    const shown = items.filter(({ ref }: ViewItem) => ref.startsWith('preference:'));
    expect(text).toContain(`${8_000 - shown.length} more preferences: ${remaining.ref}\n`);
    const [full, page] = [
      await server.get(refOf(short), { key }),
      await server.get(refOf(remaining), { key }),
    ];
    expect([full.status, full.body.tokens]).toEqual([200, short.fullTokens]);
    expect([page.status, page.body.items.length > 0]).toEqual([200, true]);
    for (const { ref } of page.body.items) expect(ref).toMatch(/^preference:/);
  });

  it('does not prevent prompts with a view', async () => {
    const body = { template: 'Before:\n{{view}}\nNow.', maxTokens: 2_000 };
    const prompt = await server.call('POST', '/v1/contexts/flooded/prompt', { body, key });
    expect(prompt.status).toBe(200);
    expect(prompt.body.text).toContain('One log for all.');
  });
});

describe('records, reviews and acknowledged handovers', () => {
  beforeAll(async () => {
    const path = await server.context('beside');
    const text = (at: number) =>
      `${words(`said${at}x`, 150)}. See src/part-${at}.ts, 3 tests failed.`;
    for (let at = 0; at < 16; at++) {
      await server.post(`${path}/records`, { recordId: `N-${at}`, kind: 'custom', body: text(at) });
      const issue = { issueId: `V-${at}.1`, text: text(at) };
      const review = { reviewId: `V-${at}`, artifact: `a-${at}`, keyIssues: [issue] };
      await server.post(`${path}/reviews`, { ...review, status: 'REJECTED_WITH_FEEDBACK' });
      const approved = { reviewId: `W-${at}`, artifact: `a-${at}`, addresses: [`V-${at}.1`] };
      await server.post(`${path}/reviews`, { ...approved, status: 'APPROVED' });
      await server.post(`${path}/handovers`, { handoverId: `H-${at}`, to: 'qa', note: text(at) });
      await server.post(`${path}/handovers/H-${at}/acknowledge`);
      await server.post(`${path}/step-outputs`, { stepId: `s-${at}`, output: text(at) });
    }
  }, 120_000);

  it('become digests, then lines, then roll-ups, after all outputs except the newest', async () => {
    const { tokens } = await view('beside', { maxTokens: '50000' });
    const ranks = ['rollup', 'line', 'digest', 'whole'];
    /** The shortest form of each kind; entries without their own form are in a roll-up. */
    const shortest = (items: readonly ViewItem[], kind: string) => {
      const forms = items.filter(({ ref }) => ref.startsWith(`${kind}:`)).map(({ form }) => form);
      const count = kind === 'review' ? 32 : 16;
      return forms.length < count ? 0 : Math.min(...forms.map((form) => ranks.indexOf(form)));
    };
    const forms = new Map<string, Set<number>>();
    for (let fraction = 1; fraction > 0.05; fraction -= 0.05) {
      const query = { maxTokens: String(Math.ceil(tokens * fraction)) };
      const { items } = await view('beside', query);
      const output = shortest(items, 'step-output');
      // The newest three are shortened after all of these, and they fit.
      const newest = items.filter(({ ref }: ViewItem) => ref.startsWith('step-output:')).slice(-3);
      expect([fraction, ...newest.map(({ form }: ViewItem) => form)]).toEqual([
        fraction,
        ...Array(3).fill('whole'),
      ]);
      for (const kind of ['record', 'review', 'handover']) {
        const rank = shortest(items, kind);
        forms.set(kind, (forms.get(kind) ?? new Set()).add(rank));
        // No output is longer than other history of the same age.
        expect([fraction, kind, output <= rank]).toEqual([fraction, kind, true]);
      }
    }
    for (const [kind, ranks] of forms) {
      expect([kind, [...ranks].slice(0, 2)]).toEqual([kind, [3, 2]]);
      expect([kind, [...ranks].sort()]).toEqual([kind, [0, 1, 2, 3]]);
    }
  }, 120_000);
});
