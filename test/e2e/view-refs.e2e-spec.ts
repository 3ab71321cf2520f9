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
type Told = Readonly<{ ref: string; form: string; fullTokens: number }>;
type Expanded = Readonly<{ ref: string; version: number; text: string; tokens: number }>;

/** Every seventh is working; every tenth says more than a digest holds. */
function outputAt(at: number): Event {
  const said = `Changed src/module-${at}.ts, and ${at * 3} tests pass. `.repeat(
    at % 10 === 0 ? 40 : 4,
  );
  const output = at % 2 === 0 ? { summary: said, files: [`src/module-${at}.ts`] } : said;
  const visibility = at % 7 === 0 ? 'working' : 'record';
  return { type: 'StepOutputAdded', data: { stepId: `s-${at}`, output }, visibility };
}

/** Between outputs, what else is history. */
function historyAt(at: number): readonly Event[] {
  const recorded = (type: string, data: Event['data']) => ({ type, data, visibility: 'record' });
  const text = `What was noted at step ${at}, in some words more. `.repeat(6);
  const kinds: readonly (readonly Event[])[] = [
    [recorded('RecordAppended', { recordId: `N-${at}`, kind: 'custom', body: text })],
    [recorded('RequirementRecorded', { requirementId: `R-${at}`, kind: 'functional', text })],
    [
      recorded('ReviewRecorded', {
        reviewId: `V-${at}`,
        artifact: 'a',
        status: 'APPROVED',
        keyIssues: [],
      }),
    ],
    [
      recorded('HandoverNoted', { handoverId: `H-${at}`, to: 'qa', note: text }),
      recorded('HandoverAcknowledged', { handoverId: `H-${at}` }),
    ],
    [
      recorded('DecisionRecorded', {
        decisionId: `D-${at}`,
        topic: `t-${at}`,
        decision: `Do as step ${at} says`,
      }),
    ],
  ];
  return at % 10 === 5 ? (kinds[Math.floor(at / 10) % kinds.length] ?? []) : [];
}

/** The ref of what an event says, as views name it; acknowledging says nothing of its own. */
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

describe('what is shortened in a view of a long context', () => {
  const events = Array.from({ length: steps }, (_, at) => [outputAt(at), ...historyAt(at)]).flat();
  let key: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await server.call('PUT', '/v1/policies/onlooker', {
      body: { show: [{ types: ['*'], visibility: ['record'] }] },
    });
    await server.context('long');
    for (let at = 0; at < events.length; at += 250) {
      const batch = { events: events.slice(at, at + 250) };
      expect((await server.post(`${path}/events`, batch)).status).toBe(201);
    }
    key = {
      all: await server.key({ role: 'agent', agentId: 'whole' }),
      onlooker: await server.key({ role: 'agent', agentId: 'looks', audiences: ['onlooker'] }),
    };
  }, 120_000);

  /** What a ref leads to, on all its pages. */
  async function expand(ref: string, secret: string): Promise<readonly Expanded[]> {
    const found: Expanded[] = [];
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
      const shortened: readonly Told[] = body.items.filter(({ form }: Told) => form !== 'whole');
      expect([...new Set(shortened.map(({ form }) => form))].sort()).toEqual(
        ['digest', 'line', 'rollup'].sort(),
      );
      const reached = new Map<string, Expanded>();
      for (const { ref, form, fullTokens } of body.items as readonly Told[]) {
        const leads = await expand(ref, secret);
        for (const each of leads) reached.set(each.ref, each);
        if (form !== 'rollup') expect(leads).toMatchObject([{ ref, tokens: fullTokens }]);
        // A shortened one says where the rest is.
        if (form !== 'whole') expect(body.text).toContain(ref);
      }

      const seen = events.filter(({ visibility }) => audience === 'all' || visibility === 'record');
      const wanted = seen.flatMap(refOf);
      expect(wanted.length).toBeGreaterThan(500);
      expect([...reached.keys()].sort()).toEqual([...wanted].sort());
      for (const at of [0, 1, 7, 10, 133, 450, steps - 1]) {
        const { data, visibility } = outputAt(at);
        const item = await server.get(`${path}/items/step-output:s-${at}`, { key: secret });
        const isSeen = audience === 'all' || visibility === 'record';
        expect(item.status).toBe(isSeen ? 200 : 404);
        if (isSeen) expect(item.body.value.output).toEqual(data['output']);
      }
    },
    120_000,
  );
});
