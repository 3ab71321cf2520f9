import { ThroughlineServer } from './throughline-server.js';

type Said = Readonly<{ type: string; data: object }>;

/** What acts on something that is there: `made` makes it, `acts` is the same act by an event and, if there is one, a path. */
type Act = Readonly<{
  made: readonly Said[];
  event: (id: string) => Said;
  route?: readonly [path: string, (id: string) => readonly [path: string, body: object]];
  status: number;
}>;

const said = (type: string, data: object): Said => ({ type, data });
const task = said('TaskPlanned', { taskId: 'hidden', title: 't' });
const decision = said('DecisionRecorded', { decisionId: 'hidden', decision: 'd' });
const pending = said('DecisionRecorded', { ...decision.data, requiresApproval: true });
const issue = { issueId: 'hidden', text: 't' };
const review = (data: object) =>
  said('ReviewRecorded', { artifact: 'a', status: 'REJECTED_WITH_FEEDBACK', ...data });

/** An act at `/{noun}/{id}/{verb}`. */
function byPath(
  noun: string,
  name: string,
  [verb, type, data = {}]: readonly [string, string, object?],
) {
  return {
    event: (id: string) => said(type, { ...data, [name]: id }),
    route: [
      `/${noun}/{${name}}${verb}`,
      (id: string) => [`/${noun}/${id}${verb}`, data] as const,
    ] as const,
    status: 404,
  };
}

const acts: Readonly<Record<string, Act>> = {
  'starting a task': { made: [task], ...byPath('tasks', 'taskId', ['/start', 'TaskStarted']) },
  'blocking a task': {
    made: [task],
    ...byPath('tasks', 'taskId', ['/block', 'TaskBlocked', { reason: 'r' }]),
  },
  'completing a task': {
    made: [task],
    ...byPath('tasks', 'taskId', ['/complete', 'TaskCompleted']),
  },
  'waiting for a task': {
    made: [task],
    event: (id) => said('TaskPlanned', { taskId: 'own', title: 't', dependsOn: [id] }),
    status: 422,
  },
  'updating a risk': {
    made: [said('RiskRaised', { riskId: 'hidden', severity: 'low', description: 'd' })],
    ...byPath('risks', 'riskId', ['', 'RiskUpdated', { status: 'mitigated' }]),
  },
  'clearing a blocker': {
    made: [said('BlockerRaised', { blockerId: 'hidden', description: 'd' })],
    ...byPath('blockers', 'blockerId', ['/clear', 'BlockerCleared']),
  },
  'approving a decision': {
    made: [pending],
    ...byPath('decisions', 'decisionId', ['/approve', 'DecisionApproved']),
  },
  'rejecting a decision': {
    made: [pending],
    ...byPath('decisions', 'decisionId', ['/reject', 'DecisionRejected']),
  },
  'superseding a decision': {
    made: [decision],
    event: (id) => said('DecisionRecorded', { decision: 'mine', supersedes: id }),
    status: 422,
  },
  'addressing an issue': {
    made: [review({ keyIssues: [issue] })],
    event: (id) =>
      said('ReviewRecorded', {
        reviewId: 'own',
        artifact: 'a',
        status: 'APPROVED',
        addresses: [id],
      }),
    status: 422,
  },
  'acknowledging a handover': {
    made: [said('HandoverNoted', { handoverId: 'hidden', to: 'b', note: 'n' })],
    ...byPath('handovers', 'handoverId', ['/acknowledge', 'HandoverAcknowledged']),
  },
  'answering a request for input': {
    made: [said('InputRequested', { inputRequestId: 'hidden', path: 'a.inputs.b', from: 'maker' })],
    ...byPath('input-requests', 'inputRequestId', ['/provide', 'InputProvided', { value: 1 }]),
  },
  'resetting a circuit breaker': {
    made: [said('IterationStarted', { subject: 'hidden' })],
    ...byPath('circuit-breakers', 'subject', ['/reset', 'CircuitBreakerReset']),
  },
  'scoring an output': {
    made: [said('StepOutputAdded', { stepId: 's', name: 'hidden', output: 1 })],
    event: (id) => said('QualityScored', { agent: 'maker', output: id, scores: { a: 1 } }),
    status: 422,
  },
};

/** What these name need not be there: they begin it, or need a key that sees everything. */
const beginning = [
  '/agents/{agentId}/check',
  '/phases/{phase}/complete',
  '/phases/{phase}/start',
  '/steps/{stepId}/fail',
  '/steps/{stepId}/start',
  '/transformations/{transformationId}/derive',
];

let server: ThroughlineServer;
let blind: string;
beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const policy = { show: [{ types: ['SignalEmitted'] }] };
  await server.call('PUT', '/v1/policies/blind', { body: policy });
  blind = await server.key({ role: 'operator', audiences: ['blind'] });
}, 120_000);
afterAll(() => server.stop());

describe('acting on what an audience does not see', () => {
  it('is all that writes to something by its name in a path', async () => {
    const { body } = await server.get('/openapi.json');
    const context = '/v1/contexts/{contextId}';
    const written = Object.keys(body.paths).filter(
      (path) => path.startsWith(`${context}/`) && path.slice(context.length).includes('{'),
    );
    const routes = written.filter((path) => Object.keys(body.paths[path]).some(isWrite));
    const known = Object.values(acts).flatMap(({ route }) => route?.[0] ?? []);
    expect(routes.map((path) => path.slice(context.length)).toSorted()).toEqual(
      [...known, ...beginning].toSorted(),
    );
  });

  it.each(Object.entries(acts))('is answered like acting on nothing: %s', async (name, act) => {
    const path = await server.context(name.replaceAll(' ', '-'));
    expect(
      (await server.post(`${path}/events`, { events: act.made, agentId: 'maker' })).status,
    ).toBe(201);
    const { body: before } = await server.get(path);
    const ways = (id: string) => [
      [`${path}/events`, { events: [act.event(id)] }] as const,
      ...(act.route ? [at(path, act.route[1](id))] : []),
    ];
    for (const [n, [to, body]] of ways('hidden').entries()) {
      const [toNothing, nothing] = ways('absent')[n] ?? ['', {}];
      const hidden = await server.post(to, body, { key: blind });
      const absent = await server.post(toNothing, nothing, { key: blind });
      expect([to, hidden.status]).toEqual([to, act.status]);
      expect([hidden.status, toldOf(hidden.body, 'hidden')]).toEqual([
        absent.status,
        toldOf(absent.body, 'absent'),
      ]);
    }
    expect((await server.get(path)).body._version).toBe(before._version);
    for (const [to, body] of ways('hidden').slice(0, 1))
      expect((await server.post(to, body)).status).toBe(201);
  });

  it.each([
    ['a loop', 'resetting a circuit breaker', said('IterationStarted', { subject: 'hidden' }), 404],
    ['an issue', 'addressing an issue', review({ keyIssues: [issue] }), 422],
  ])(
    'is refused even if the same write has changed it before: %s',
    async (what, act, changing, status) => {
      const path = await server.context(what.replaceAll(' ', '-'));
      const { made = [], event } = acts[act] ?? {};
      await server.post(`${path}/events`, { events: made });
      const { body: before } = await server.get(path);
      const events = [changing, event?.('hidden')];
      const refused = await server.post(`${path}/events`, { events }, { key: blind });
      expect(refused.status).toBe(status);
      expect((await server.get(path)).body._version).toBe(before._version);
    },
  );

  it('is acting on its own within one write', async () => {
    const path = await server.context('own-write');
    const events = [task, said('TaskCompleted', { taskId: 'hidden' })];
    expect((await server.post(`${path}/events`, { events }, { key: blind })).status).toBe(201);
    const again = [said('TaskStarted', { taskId: 'hidden' })];
    const refused = await server.post(`${path}/events`, { events: again }, { key: blind });
    expect(refused.status).toBe(404);
  });
});

function isWrite(method: string): boolean {
  return method !== 'get';
}

function at(path: string, [to, body]: readonly [string, object]) {
  return [`${path}${to}`, body] as const;
}

/** A problem, but for the request that it is of. */
function toldOf(body: object, id: string): string {
  const told = Object.entries(body).filter(([name]) => !['requestId', 'instance'].includes(name));
  return JSON.stringify(told).replaceAll(id, '*');
}
