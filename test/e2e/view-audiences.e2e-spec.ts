import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type Event = Readonly<{ type: string; data: object; visibility?: 'working' }>;
type ViewItem = Readonly<{ ref: string; form: string }>;

const largeBudget = 50_000;
/** Each thing in the story is represented by this word. */
const about = (thing: string) => `m-${thing}`;

const failing = { stepId: 'build' };
const passing = { stepId: 'plan' };

/** The part of the creation that each audience sees. */
const creation = { title: 'One story', input: { spec: about('input') } };

/** A story that each audience sees differently. */
const story: readonly Event[] = [
  { type: 'GlobalContextSet', data: { values: { constraints: [about('constraint')] } } },
  { type: 'PreferencesSet', data: { values: { tone: about('preference') } } },
  {
    type: 'RequirementRecorded',
    data: { requirementId: 'R-1', kind: 'functional', text: about('requirement') },
  },
  { type: 'DependencyDeclared', data: { name: about('dependency'), kind: 'external' } },
  { type: 'TaskPlanned', data: { taskId: 'T-1', title: about('task') } },
  {
    type: 'RecordAppended',
    data: { recordId: 'kickoff', kind: 'kickoff-insights', body: about('insight') },
  },
  { type: 'RiskRaised', data: { riskId: 'K-1', severity: 'low', description: about('risk') } },
  { type: 'BlockerRaised', data: { blockerId: 'B-1', description: about('blocker') } },
  {
    type: 'DecisionRecorded',
    data: { decisionId: 'DEC-001', topic: 't', decision: about('old'), rationale: about('past') },
  },
  { type: 'StepOutputAdded', data: { ...passing, output: about('output') } },
  {
    type: 'StepOutputAdded',
    data: { stepId: about('thinking'), output: about('note') },
    visibility: 'working',
  },
  {
    type: 'StepOutputAdded',
    data: { ...failing, output: about('attempt') },
    visibility: 'working',
  },
  { type: 'StepFailed', data: { ...failing, reason: about('failure'), tried: about('tried') } },
  {
    type: 'DecisionRecorded',
    data: {
      decisionId: 'DEC-002',
      topic: 't',
      decision: about('decision'),
      supersedes: 'DEC-001',
      rationale: about('reason'),
      alternativesConsidered: [about('alternative')],
    },
  },
  {
    type: 'RecordAppended',
    data: { recordId: 'n-1', ...failing, kind: 'custom', body: about('dead-end') },
    visibility: 'working',
  },
  {
    type: 'RecordAppended',
    data: { recordId: 'n-2', ...passing, kind: 'custom', body: about('detour') },
    visibility: 'working',
  },
  {
    type: 'RecordAppended',
    data: { recordId: 'analysis', kind: 'failure-analysis', body: about('analysis') },
  },
  {
    type: 'ArtifactReferenced',
    data: { artifactId: 'code', artifactType: 'source', path: about('artifact') },
  },
  {
    type: 'ArtifactReferenced',
    data: { artifactId: 'log', artifactType: 'log', path: about('log') },
    visibility: 'working',
  },
  { type: 'RecordAppended', data: { recordId: 'dev', kind: 'dev-record', body: about('done') } },
  {
    type: 'ReviewRecorded',
    data: {
      reviewId: 'V-1',
      artifact: 'code',
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ issueId: 'V-1.1', severity: 'high', text: about('issue') }],
    },
  },
  {
    type: 'HandoverNoted',
    data: { handoverId: 'H-1', to: 'dev', note: about('to-dev'), priority: 'critical' },
  },
  { type: 'HandoverNoted', data: { handoverId: 'H-2', to: 'rev', note: about('to-rev') } },
];

const everything = [...new Set(JSON.stringify([creation, story]).match(/\bm-[a-z-]+/g))];
const spec = ['input', 'constraint', 'preference', 'requirement', 'dependency', 'task'];
const working = ['thinking', 'note', 'attempt', 'log', 'dead-end', 'detour'];

/** The visible words of each audience, and its agent. */
const audiences = [
  {
    audience: 'developer',
    agentId: 'dev',
    sees: [
      ...spec,
      'insight',
      'risk',
      'blocker',
      'artifact',
      'issue',
      'to-dev',
      'old',
      'past',
      'decision',
      'reason',
      'alternative',
    ],
  },
  {
    audience: 'reviewer',
    agentId: 'rev',
    sees: [...spec, 'decision', 'reason', 'artifact', 'done', 'to-rev'],
  },
  {
    audience: 'failure-analyst',
    agentId: 'ana',
    sees: [
      ...spec,
      'insight',
      'done',
      'attempt',
      'failure',
      'tried',
      'analysis',
      'dead-end',
      'issue',
    ],
  },
  {
    audience: 'retrospective',
    agentId: 'ret',
    sees: everything.map((word) => word.slice(2)).filter((thing) => !working.includes(thing)),
  },
];

/** The same story with other words in all events that are hidden, which remain hidden. */
function storyWithOtherWords(visibleWords: readonly string[]): readonly Event[] {
  const text = JSON.stringify(story).replaceAll(/\bm-([a-z-]+)/g, (word, thing: string) =>
    visibleWords.includes(thing) ? word : `another-${thing}-altogether`,
  );
  const more = { ...passing, name: 'more', output: 'more of the same' };
  return [
    ...(JSON.parse(text) as Event[]),
    { type: 'StepOutputAdded', data: more, visibility: 'working' },
  ];
}

async function appendAll(
  workspace: string,
  contextId: string,
  events: readonly Event[],
): Promise<void> {
  const key = await author(workspace);
  await server.post('/v1/contexts', { contextId, ...creation }, { key });
  const { status, text } = await server.post(
    `/v1/contexts/${contextId}/events`,
    { events },
    { key },
  );
  if (status !== 201) throw new Error(text);
}

/** An agent whose audience has no filter. */
const author = (workspace: string) => keyIn(workspace, { role: 'agent', agentId: 'teller' });

const keyIn = (workspace: string, grant: object) =>
  server.key({ ...grant, workspace: server.workspaceNamed(workspace) });

async function view(key: string, contextId: string, maxTokens: number, more = '') {
  const path = `/v1/contexts/${contextId}/view?maxTokens=${maxTokens}${more}`;
  const { status, body } = await server.get(path, { key });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The words of the story that a text contains. */
const wordsIn = (text: string) =>
  everything
    .filter((word) => new RegExp(`\\b${word}(?![a-z-])`).test(text))
    .map((word) => word.slice(2));

describe('a view of one story', () => {
  it('contains all of it without a filter', async () => {
    await appendAll('whole', 'story', story);
    const { text } = await view(await author('whole'), 'story', largeBudget);
    expect(wordsIn(text)).toEqual(everything.map((word) => word.slice(2)));
  });

  describe.each(audiences)('for a $audience', ({ audience, agentId, sees: visibleWords }) => {
    const one = `${audience}-one`;
    const other = `${audience}-other`;
    const keyOf = (workspace: string) =>
      keyIn(workspace, { role: 'agent', agentId, audiences: [audience] });

    beforeAll(async () => {
      await appendAll(one, 'story', story);
      await appendAll(other, 'story', storyWithOtherWords(visibleWords));
    });

    it('contains the visible words, and no hidden ones', async () => {
      const {
        text,
        audience: usedAudience,
        items,
      } = await view(await keyOf(one), 'story', largeBudget);
      expect(usedAudience).toBe(audience);
      expect(wordsIn(text).sort()).toEqual([...visibleWords].sort());
      expect(items.every(({ form }: ViewItem) => form === 'whole')).toBe(true);
    });

    it('is equal byte for byte whether it was read continuously or once', async () => {
      const along = `${audience}-along`;
      const [writer, reader] = await Promise.all([author(along), keyOf(along)]);
      await appendAll(along, 'story', story.slice(0, 1));
      for (const event of story.slice(1)) {
        const events = [event];
        await server.post('/v1/contexts/story/events', { events }, { key: writer });
        await view(reader, 'story', largeBudget);
      }
      for (const maxTokens of [largeBudget, 300]) {
        const asked = [maxTokens, '&overflow=minimum'] as const;
        const readOnce = await view(await keyOf(one), 'story', ...asked);
        const receipt = expect.any(String);
        expect(await view(reader, 'story', ...asked)).toEqual({ ...readOnce, receipt });
      }
    });

    it('is equal byte for byte, in full or shortened, regardless of the hidden content', async () => {
      const [narrowView, fullView] = await Promise.all([keyOf(one), keyOf(other)]);
      const full = await view(narrowView, 'story', largeBudget);
      const refs = new Set<string>();
      for (const fraction of [1, 0.8, 0.6, 0.4]) {
        const maxTokens = Math.ceil(full.tokens * fraction);
        const asked = [maxTokens, '&overflow=minimum'] as const;
        const { text, tokens, items } = await view(narrowView, 'story', ...asked);
        expect(await view(fullView, 'story', ...asked)).toMatchObject({ text, tokens, items });
        expect(tokens).toBeLessThanOrEqual(maxTokens);
        expect(text).not.toContain('altogether');
        expect(items.every(({ form }: ViewItem) => form === 'whole')).toBe(fraction === 1);
        for (const { ref } of items as readonly ViewItem[]) refs.add(ref);
      }
      for (const ref of refs) {
        const path = `/v1/contexts/story/items/${encodeURIComponent(ref)}`;
        const here = await server.get(path, { key: narrowView });
        expect(here.status).toBe(200);
        expect((await server.get(path, { key: fullView })).text).toBe(here.text);
      }
    });
  });
});

describe('a retrospective over the children of a parent', () => {
  const child = (contextId: string) => ({ contextId, title: `Part ${contextId}`, parent: 'epic' });

  it('contains the recorded words of each child, and no working notes', async () => {
    const [recorded, hidden] = [story, storyWithOtherWords(audiences.at(-1)?.sees ?? [])];
    for (const [workspace, events] of [
      ['family-one', recorded],
      ['family-other', hidden],
    ] as const) {
      const key = await author(workspace);
      await server.post('/v1/contexts', { contextId: 'epic' }, { key });
      for (const contextId of ['part-1', 'part-2']) {
        await server.post('/v1/contexts', child(contextId), { key });
        await server.post(`/v1/contexts/${contextId}/events`, { events }, { key });
      }
    }
    const texts = await Promise.all(
      ['family-one', 'family-other'].map(async (workspace) => {
        const grant = { role: 'agent', agentId: 'ret', audiences: ['retrospective'] };
        const key = await keyIn(workspace, grant);
        return (await view(key, 'epic', largeBudget, '&focus=retrospective')).text as string;
      }),
    );
    expect(texts[1]).toBe(texts[0]);
    for (const reference of ['context:part-1', 'context:part-2', about('failure')])
      expect(texts[0]).toContain(reference);
    expect(wordsIn(texts[0] ?? '').filter((thing) => working.includes(thing))).toEqual([]);
  });
});
