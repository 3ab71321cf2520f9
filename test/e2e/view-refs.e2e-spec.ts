import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const steps = 600;
const path = '/v1/contexts/long';

type Event = Readonly<{
  type: string;
  data: Readonly<Record<string, unknown>>;
  visibility: string;
}>;
type ViewItem = Readonly<{ ref: string; form: string; fullTokens: number }>;
type OriginalEntry = Readonly<{ ref: string; version: number; text: string; tokens: number }>;

/** Each seventh output is working; each tenth is longer than a digest. */
function outputAt(index: number): Event {
  const summary = `Changed src/module-${index}.ts, and ${index * 3} tests pass. `.repeat(
    index % 10 === 0 ? 40 : 4,
  );
  const output = index % 2 === 0 ? { summary, files: [`src/module-${index}.ts`] } : summary;
  const visibility = index % 7 === 0 ? 'working' : 'record';
  return { type: 'StepOutputAdded', data: { stepId: `s-${index}`, output }, visibility };
}

/** The other history between outputs. */
function historyAt(index: number): readonly Event[] {
  const recorded = (type: string, data: Event['data']) => ({ type, data, visibility: 'record' });
  const text = `What was noted at step ${index}, in some words more. `.repeat(6);
  const kinds: readonly (readonly Event[])[] = [
    [recorded('RecordAppended', { recordId: `N-${index}`, kind: 'custom', body: text })],
    [recorded('RequirementRecorded', { requirementId: `R-${index}`, kind: 'functional', text })],
    [
      recorded('ReviewRecorded', {
        reviewId: `V-${index}`,
        artifact: 'a',
        status: 'APPROVED',
        keyIssues: [],
      }),
    ],
    [
      recorded('HandoverNoted', { handoverId: `H-${index}`, to: 'qa', note: text }),
      recorded('HandoverAcknowledged', { handoverId: `H-${index}` }),
    ],
    [
      recorded('DecisionRecorded', {
        decisionId: `D-${index}`,
        topic: `t-${index}`,
        decision: `Do as step ${index} says`,
      }),
    ],
  ];
  return index % 10 === 5 ? (kinds[Math.floor(index / 10) % kinds.length] ?? []) : [];
}

/** The ref of an event in views; an acknowledgment has none. */
function refOf({ type, data }: Event): string[] {
  const ids: Readonly<Record<string, readonly [kind: string, member: string]>> = {
    StepOutputAdded: ['step-output', 'stepId'],
    RecordAppended: ['record', 'recordId'],
    RequirementRecorded: ['requirement', 'requirementId'],
    ReviewRecorded: ['review', 'reviewId'],
    HandoverNoted: ['handover', 'handoverId'],
    DecisionRecorded: ['decision', 'decisionId'],
  };
  const [kind, member = ''] = ids[type] ?? [];
  return kind === undefined ? [] : [`${kind}:${String(data[member])}`];
}

describe('shortened entries in a view of a long context', () => {
  const events = Array.from({ length: steps }, (_, index) => [
    outputAt(index),
    ...historyAt(index),
  ]).flat();
  let key: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await server.call('PUT', '/v1/policies/onlooker', {
      body: { show: [{ types: ['*'], visibility: ['record'] }] },
    });
    await server.context('long');
    for (let index = 0; index < events.length; index += 250) {
      const batch = { events: events.slice(index, index + 250) };
      expect((await server.post(`${path}/events`, batch)).status).toBe(201);
    }
    key = {
      all: await server.key({ role: 'agent', agentId: 'whole' }),
      onlooker: await server.key({ role: 'agent', agentId: 'looks', audiences: ['onlooker'] }),
    };
  }, 120_000);

  /** The originals of a ref, from all pages. */
  async function expand(ref: string, secret: string): Promise<readonly OriginalEntry[]> {
    const found: OriginalEntry[] = [];
    for (let cursor = ''; ;) {
      const place = `${path}/items/${encodeURIComponent(ref)}?limit=500${cursor}`;
      const { status, body } = await server.get(place, { key: secret });
      expect([ref, status]).toEqual([ref, 200]);
      if (body.form === 'whole') return [body];
      found.push(...body.items);
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  }

  it.each(['all', 'onlooker'])(
    'has refs, which lead the audience %s to all it sees, as that was sent, and to nothing else',
    async (audience) => {
      const secret = key[audience] ?? '';
      const { body } = await server.get(`${path}/view?maxTokens=6000`, { key: secret });
      expect(body).toMatchObject({ audience, tokens: expect.any(Number) });
      const shortened: readonly ViewItem[] = body.items.filter(
        ({ form }: ViewItem) => form !== 'whole',
      );
      expect([...new Set(shortened.map(({ form }) => form))].sort()).toEqual(
        ['digest', 'line', 'rollup'].sort(),
      );
      const reached = new Map<string, OriginalEntry>();
      for (const { ref, form, fullTokens } of body.items as readonly ViewItem[]) {
        const originalsOf = await expand(ref, secret);
        for (const each of originalsOf) reached.set(each.ref, each);
        if (form !== 'rollup') expect(originalsOf).toMatchObject([{ ref, tokens: fullTokens }]);
        // A shortened one has the ref of its original.
        if (form !== 'whole') expect(body.text).toContain(ref);
      }

      const visible = events.filter(
        ({ visibility }) => audience === 'all' || visibility === 'record',
      );
      const expected = visible.flatMap(refOf);
      expect(expected.length).toBeGreaterThan(500);
      expect([...reached.keys()].sort()).toEqual([...expected].sort());
      for (const index of [0, 1, 7, 10, 133, 450, steps - 1]) {
        const { data, visibility } = outputAt(index);
        const item = await server.get(`${path}/items/step-output:s-${index}`, { key: secret });
        const isVisible = audience === 'all' || visibility === 'record';
        expect(item.status).toBe(isVisible ? 200 : 404);
        if (isVisible) expect(item.body.value.output).toEqual(data['output']);
      }
    },
    120_000,
  );
});
