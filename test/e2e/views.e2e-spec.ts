import { tokenizerOf } from '#context-views';

import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type ViewQuery = Readonly<Record<string, string>>;
type ViewItem = Readonly<{ ref: string; form: string; tokens: number; fullTokens: number }>;

const viewPath = (contextId: string, query: ViewQuery = {}) =>
  `/v1/contexts/${contextId}/view?${new URLSearchParams(query)}`;

async function view(contextId: string, query: ViewQuery = {}, key?: string) {
  const { status, body } = await server.get(viewPath(contextId, query), key ? { key } : {});
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

const refusal = async (contextId: string, query: ViewQuery) =>
  (await server.get(viewPath(contextId, query))).body;

async function addSteps(contextId: string, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++)
    await server.post(`/v1/contexts/${contextId}/step-outputs`, outputOf(index));
}

function outputOf(index: number) {
  const words = Array.from({ length: 60 }, (_, n) => `word${index}x${n}`).join(' ');
  return {
    stepId: `s-${index}`,
    output: { file: `src/module-${index}.ts`, verdict: 'PASSED', words },
  };
}

/** An output like those of agents: words, a path, a number. */
function reportOf(index: number) {
  const done =
    'the module was written, reviewed and tested, and the team agreed on what comes next';
  const found = `See src/part-${index}.ts, ${index * 3} tests passed.`;
  return {
    stepId: `s-${index}`,
    output: `Step ${index}: ${done}. ${found} ${done}, as planned. ${done}.`,
  };
}

const formsOf = (items: readonly ViewItem[]) => new Map(items.map(({ ref, form }) => [ref, form]));

describe('reading a view', () => {
  beforeAll(async () => {
    await server.post('/v1/contexts', {
      contextId: 'long',
      title: 'A long one',
      preferences: { tone: 'dry' },
      globalContext: { constraints: ['no cloud'] },
    });
    await server.post('/v1/contexts/long/decisions', {
      topic: 'database',
      decision: 'Streams live in PostgreSQL',
      rationale: 'One system to run',
      alternativesConsidered: [{ option: 'files' }],
    });
    await server.post('/v1/contexts/long/handovers', {
      to: 'qa',
      priority: 'critical',
      note: 'mind the lock',
    });
    await server.post('/v1/contexts/long/blockers', {
      blockerId: 'B-1',
      description: 'no licence',
    });
    await addSteps('long', 0, 60);
  }, 120_000);

  it('is limited to 50,000 tokens of o200k_base by default, counted exactly on its text', async () => {
    const answer = await view('long');
    expect(answer).toMatchObject({
      maxTokens: 50_000,
      tokenizer: 'o200k_base',
      audience: 'all',
    });
    expect(tokenizerOf('o200k_base').unitsOf(answer.text)).toBe(answer.tokens);
    expect(answer.items.every(({ form }: ViewItem) => form === 'whole')).toBe(true);
  });

  it('never exceeds the requested tokens, for any tokenizer', async () => {
    for (const tokenizer of ['o200k_base', 'cl100k_base', 'chars4'] as const)
      for (const maxTokens of [500, 2_000, 8_000]) {
        const answer = await view('long', { tokenizer, maxTokens: String(maxTokens) });
        const counter = tokenizerOf(tokenizer);
        expect(answer).toMatchObject({ tokenizer, maxTokens });
        expect(counter.tokensOf(counter.unitsOf(answer.text))).toBe(answer.tokens);
        expect(answer.tokens).toBeLessThanOrEqual(maxTokens);
      }
  });

  it('shortens the oldest entries first, and keeps the newest three outputs in full', async () => {
    const { items } = await view('long', { maxTokens: '4000' });
    const forms = formsOf(items);
    for (const index of [57, 58, 59]) expect(forms.get(`step-output:s-${index}`)).toBe('whole');
    // The first output has the subject of the work.
    const outputs = items.filter(
      ({ ref }: ViewItem) => /^(step-output|rollup):/.test(ref) && ref !== 'step-output:s-0',
    );
    const ranks = outputs.map(({ form }: ViewItem) =>
      ['rollup', 'line', 'digest', 'whole'].indexOf(form),
    );
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    expect(ranks[0]).toBeLessThan(3);
  });

  it('drops no live decisions, preferences, constraints, open blockers and open critical handovers if they fit', async () => {
    const { text } = await view('long', { maxTokens: '400' });
    for (const contained of [
      'Streams live in PostgreSQL',
      'tone` by `admin`: `dry`',
      '["no cloud"]',
      'no licence',
      'mind the lock',
    ])
      expect(text).toContain(contained);
  });

  it('refuses a budget that is too small for a reference to the whole, with the required number', async () => {
    const refused = await refusal('long', { maxTokens: '20' });
    expect(refused).toMatchObject({ type: '/problems/budget-too-small', status: 422 });
    const { minimumTokens } = refused;
    expect(await view('long', { maxTokens: String(minimumTokens) })).toMatchObject({
      tokens: expect.any(Number),
    });
    const minimum = await view('long', { maxTokens: '20', overflow: 'minimum' });
    expect(minimum.tokens).toBeLessThanOrEqual(20);
  });

  it('has a ref from each shortened entry to its original', async () => {
    const { items } = await view('long', { maxTokens: '2400' });
    const shortened: ViewItem[] = items.filter(({ form }: ViewItem) => form !== 'whole');
    expect(new Set(shortened.map(({ form }) => form)).size).toBeGreaterThan(1);
    for (const { ref, form, fullTokens } of shortened) {
      const { status, body } = await server.get(
        `/v1/contexts/long/items/${encodeURIComponent(ref)}`,
      );
      expect(status).toBe(200);
      if (form === 'rollup') expect(body.items.length).toBeGreaterThan(0);
      else expect(body).toMatchObject({ ref, form: 'whole', tokens: fullTokens });
    }
    const { body } = await server.get('/v1/contexts/long/items/step-output:s-0');
    expect(body.value.output).toEqual(outputOf(0).output);
    for (const ref of ['step-output:none', 'nonsense', 'rollup:x'])
      expect((await server.get(`/v1/contexts/long/items/${ref}`)).body.type).toBe(
        '/problems/not-found',
      );
  });

  it('begins with nearly the same text as the version before after most steps', async () => {
    await server.post('/v1/contexts', { contextId: 'steady' });
    const tokenizer = tokenizerOf('o200k_base');
    const shares: number[] = [];
    let before = await view('steady', { maxTokens: '3000' });
    for (let index = 0; index < 30; index++) {
      await server.post('/v1/contexts/steady/step-outputs', reportOf(index));
      const now = await view('steady', { maxTokens: '3000' });
      const prefix = now.text.slice(0, lengthOf(now.text, now.stablePrefixTokens));
      expect(tokenizer.unitsOf(prefix)).toBe(now.stablePrefixTokens);
      expect(before.text.startsWith(prefix)).toBe(true);
      shares.push(now.stablePrefixTokens / before.tokens);
      before = now;
    }
    expect(shares.toSorted((left, right) => left - right)[15]).toBeGreaterThan(0.9);
  }, 120_000);

  it('is the same if it is read again, also for a past version after later events', async () => {
    const first = await view('long', { asOf: '30', maxTokens: '1500' });
    expect(first.version).toBe(30);
    await server.post('/v1/contexts/long/step-outputs', { stepId: 's-2', output: 'again' });
    expect(await view('long', { asOf: '30', maxTokens: '1500' })).toEqual(first);
    expect(first.receipt).toMatch(/^r1\./);
  });

  it('marks a superseded decision as no longer in force', async () => {
    await server.post('/v1/contexts', { contextId: 'turned' });
    await server.post('/v1/contexts/turned/decisions', { topic: 't', decision: 'Use files' });
    await server.post('/v1/contexts/turned/decisions', {
      topic: 't',
      decision: 'Use PostgreSQL',
      supersedes: 'DEC-001',
    });
    const { text } = await view('turned');
    expect(text).toMatch(/decision:DEC-001` by `admin`, superseded, by `DEC-002`/);
    expect(text).toMatch(/decision:DEC-002` by `admin`, live/);
  });

  it('is limited to its audience: hidden events change no byte of it', async () => {
    await server.call('PUT', '/v1/policies/watcher', {
      body: { show: [{ types: ['*'], visibility: ['record'] }] },
    });
    await server.post('/v1/contexts', { contextId: 'gated' });
    await server.post('/v1/contexts/gated/step-outputs', { stepId: 's', output: 'told to all' });
    const first = await view('gated', { audience: 'watcher' });
    const hidden = { stepId: 'n', output: 'a secret note', visibility: 'working' };
    await server.post('/v1/contexts/gated/step-outputs', hidden);
    const second = await view('gated', { audience: 'watcher' });
    expect(second.text).toBe(first.text);
    expect(second.stablePrefixTokens).toBe(second.tokens);
    expect((await view('gated')).text).toContain('a secret note');
    const item = await server.get('/v1/contexts/gated/items/step-output:n?audience=watcher');
    expect(item.body.type).toBe('/problems/not-found');
  });

  it('contains no text of another context with the same name and shape', async () => {
    const long = (name: string, index: number) => `${name}_${index}_${'y'.repeat(90)}`;
    for (const [label, name] of [
      ['ours', 'topSecretName'],
      ['theirs', 'otherPublicNm'],
    ] as const) {
      const workspace = server.workspaceNamed(label);
      const key = await server.key({ role: 'admin', workspace });
      await server.post('/v1/contexts', { contextId: 'twin' }, { key });
      for (let index = 0; index < 24; index++) {
        const words = 'the module was written, reviewed and tested as the team had agreed '.repeat(
          12,
        );
        const output = `${words} ${long(name, index)} ${words}`;
        await server.post(
          '/v1/contexts/twin/step-outputs',
          { stepId: `s-${index}`, output },
          { key },
        );
      }
      const texts: string[] = [];
      for (let maxTokens = 900; maxTokens < 4_000; maxTokens += 150)
        texts.push((await view('twin', { maxTokens: String(maxTokens) }, key)).text);
      expect(texts.some((text) => text.includes(name))).toBe(true);
      const other = label === 'ours' ? 'otherPublicNm' : 'topSecretName';
      expect(texts.filter((text) => text.includes(other))).toEqual([]);
    }
  });

  it('contains the requested sections only', async () => {
    const { text, items } = await view('long', { sections: 'state,decisions' });
    expect(items.map(({ ref }: ViewItem) => ref)).toEqual(['decision:DEC-001']);
    expect(text).toContain('## state');
    expect((await refusal('long', { sections: 'everything' })).errors[0].pointer).toMatch(
      /^\/sections/,
    );
  });

  it('is the plain text as Markdown', async () => {
    const { text } = await view('long', { maxTokens: '900' });
    const markdown = await server.get(viewPath('long', { maxTokens: '900', format: 'markdown' }));
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toBe(text);
  });

  it('has the defaults of the workspace, overridden by those of the reading agent', async () => {
    await server.call('PATCH', '/v1/settings', {
      body: { viewMaxTokens: 1_000, viewTokenizer: 'chars4' },
    });
    await server.post('/v1/agents', {
      agentId: 'thrifty',
      name: 'Thrifty',
      role: 'reads little',
      kind: 'llm',
      view: { maxTokens: 600 },
    });
    const key = await server.key({ role: 'agent', agentId: 'thrifty' });
    expect(await view('long')).toMatchObject({ maxTokens: 1_000, tokenizer: 'chars4' });
    expect(await view('long', {}, key)).toMatchObject({ maxTokens: 600, tokenizer: 'chars4' });
    expect(await view('long', { maxTokens: '700' }, key)).toMatchObject({ maxTokens: 700 });
    await server.call('PATCH', '/v1/settings', {
      body: { viewMaxTokens: null, viewTokenizer: null },
    });
  });

  it('has the defaults of the environment if no others are stated', async () => {
    const thrifty = await ThroughlineServer.start({
      THROUGHLINE_VIEW_MAX_TOKENS: '1234',
      THROUGHLINE_VIEW_TOKENIZER: 'cl100k_base',
      THROUGHLINE_VIEW_WHOLE_OUTPUTS: '0',
    });
    try {
      await thrifty.post('/v1/contexts', { contextId: 'c' });
      const { body } = await thrifty.get('/v1/contexts/c/view');
      expect(body).toMatchObject({ maxTokens: 1_234, tokenizer: 'cl100k_base' });
      expect((await thrifty.get('/v1/settings')).body).toMatchObject({ viewWholeOutputs: 0 });
    } finally {
      await thrifty.stop();
    }
  });

  it('shows an agent that takes over the changes since its last write, and each note to it', async () => {
    await server.post('/v1/contexts', { contextId: 'relay' });
    const key = await server.key({ role: 'agent', agentId: 'qa' });
    await server.post('/v1/contexts/relay/step-outputs', { stepId: 'old', output: 'before' });
    await server.post(
      '/v1/contexts/relay/step-outputs',
      { stepId: 'mine', output: 'my own' },
      { key },
    );
    await server.post('/v1/contexts/relay/step-outputs', { stepId: 'new', output: 'since then' });
    await server.post('/v1/contexts/relay/handovers', { to: 'qa', note: 'check the lock' });
    const { text, items } = await view('relay', { focus: 'handover' }, key);
    expect(text).toContain('since then');
    expect(text).toContain('check the lock');
    expect(items.map(({ ref }: ViewItem) => ref)).not.toContain('step-output:old');
    expect(text).toContain('rollup:1-3');
  });

  it('shows an agent that repeats a subject the reviews, the earlier attempts, and the remaining ones', async () => {
    await server.post('/v1/contexts', { contextId: 'again' });
    const send = (path: string, body: object) => server.post(`/v1/contexts/again/${path}`, body);
    await send('iterations', { subject: 'design.md' });
    await send('reviews', {
      artifact: 'design.md',
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ severity: 'high', text: 'no error handling' }],
    });
    await send('reviews', { artifact: 'other.md', status: 'APPROVED' });
    await send('step-outputs', { stepId: 'unrelated', output: 'noise' });
    await send('requirements', { kind: 'constraint', text: 'one page' });
    const { text } = await view('again', { focus: 'rework', subject: 'design.md' });
    for (const part of ['no error handling', 'one page', 'attempts left: 2 of 3'])
      expect(text).toContain(part);
    for (const omitted of ['other.md', 'noise']) expect(text).not.toContain(omitted);
    const unknown = await server.get('/v1/contexts/again/view?focus=rework&subject=nope');
    expect([unknown.status, unknown.body.type]).toEqual([404, '/problems/not-found']);
    expect((await refusal('again', { focus: 'rework' })).errors[0].pointer).toBe('/subject');
  });

  it('refuses a subject without its focus', async () => {
    const path = await server.context('subject-alone');
    for (const query of ['subject=build', 'focus=handover&subject=build']) {
      const { status, body } = await server.get(`${path}/view?${query}`);
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '/subject' }]]);
      expect(body.detail).toContain('send focus=rework');
    }
  });

  it('shows the outcomes of children in their parent', async () => {
    await server.post('/v1/contexts', { contextId: 'epic' });
    await server.post('/v1/contexts', { contextId: 'story-1', title: 'First', parent: 'epic' });
    await server.post('/v1/contexts/story-1/steps/build/fail', { reason: 'out of memory' });
    const { text, items } = await view('epic', { focus: 'retrospective' });
    expect(text).toContain('out of memory');
    expect(items.map(({ ref }: ViewItem) => ref)).toContain('context:story-1');
    const { body } = await server.get('/v1/contexts/epic/items/context:story-1');
    expect(body.text).toContain('out of memory');
    expect((await view('epic', { focus: 'retrospective', asOf: '1' })).text).not.toContain(
      'story-1',
    );
    const part = await view('epic', { focus: 'retrospective', sections: 'decisions' });
    expect(part.text).not.toContain('story-1');
  });
});

function lengthOf(text: string, tokens: number): number {
  const tokenizer = tokenizerOf('o200k_base');
  let length = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (tokenizer.unitsOf(text.slice(0, length)) === tokens) return length;
    length += line.length;
  }
  return length;
}
