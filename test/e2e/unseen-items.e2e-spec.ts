import { ThroughlineServer } from './throughline-server.js';

type EventInput = Readonly<{ type: string; data: object }>;

/**
 * An action on an existing item: `made` creates the item, `acts` is the action as an event and, if there is one, as a
 * path.
 */
type Action = Readonly<{
  made: readonly EventInput[];
  event: (id: string) => EventInput;
  route?: readonly [path: string, (id: string) => readonly [path: string, body: object]];
  status: number;
}>;

const eventOf = (type: string, data: object): EventInput => ({ type, data });
const task = eventOf('TaskPlanned', { taskId: 'hidden', title: 't' });
const decision = eventOf('DecisionRecorded', { decisionId: 'hidden', decision: 'd' });
const pending = eventOf('DecisionRecorded', { ...decision.data, requiresApproval: true });
const issue = { issueId: 'hidden', text: 't' };
const review = (data: object) =>
  eventOf('ReviewRecorded', { artifact: 'a', status: 'REJECTED_WITH_FEEDBACK', ...data });

/** The action at `/{noun}/{id}/{verb}`. */
function byPath(
  noun: string,
  name: string,
  [verb, type, data = {}]: readonly [string, string, object?],
) {
  return {
    event: (id: string) => eventOf(type, { ...data, [name]: id }),
    route: [
      `/${noun}/{${name}}${verb}`,
      (id: string) => [`/${noun}/${id}${verb}`, data] as const,
    ] as const,
    status: 404,
  };
}

const actions: Readonly<Record<string, Action>> = {
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
    event: (id) => eventOf('TaskPlanned', { taskId: 'own', title: 't', dependsOn: [id] }),
    status: 422,
  },
  'updating a risk': {
    made: [eventOf('RiskRaised', { riskId: 'hidden', severity: 'low', description: 'd' })],
    ...byPath('risks', 'riskId', ['', 'RiskUpdated', { status: 'mitigated' }]),
  },
  'clearing a blocker': {
    made: [eventOf('BlockerRaised', { blockerId: 'hidden', description: 'd' })],
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
    event: (id) => eventOf('DecisionRecorded', { decision: 'mine', supersedes: id }),
    status: 422,
  },
  'addressing an issue': {
    made: [review({ keyIssues: [issue] })],
    event: (id) =>
      eventOf('ReviewRecorded', {
        reviewId: 'own',
        artifact: 'a',
        status: 'APPROVED',
        addresses: [id],
      }),
    status: 422,
  },
  'acknowledging a handover': {
    made: [eventOf('HandoverNoted', { handoverId: 'hidden', to: 'b', note: 'n' })],
    ...byPath('handovers', 'handoverId', ['/acknowledge', 'HandoverAcknowledged']),
  },
  'answering a request for input': {
    made: [
      eventOf('InputRequested', { inputRequestId: 'hidden', path: 'a.inputs.b', from: 'maker' }),
    ],
    ...byPath('input-requests', 'inputRequestId', ['/provide', 'InputProvided', { value: 1 }]),
  },
  'resetting a circuit breaker': {
    made: [eventOf('IterationStarted', { subject: 'hidden' })],
    ...byPath('circuit-breakers', 'subject', ['/reset', 'CircuitBreakerReset']),
  },
  'scoring an output': {
    made: [eventOf('StepOutputAdded', { stepId: 's', name: 'hidden', output: 1 })],
    event: (id) => eventOf('QualityScored', { agent: 'maker', output: id, scores: { a: 1 } }),
    status: 422,
  },
};

/** Routes whose item need not exist: they create it, or require a key without a filter. */
const creatingRoutes = [
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

describe('acting on hidden items', () => {
  it('covers each write that names an item in its path', async () => {
    const { body } = await server.get('/openapi.json');
    const context = '/v1/contexts/{contextId}';
    const written = Object.keys(body.paths).filter(
      (path) => path.startsWith(`${context}/`) && path.slice(context.length).includes('{'),
    );
    const routes = written.filter((path) => Object.keys(body.paths[path]).some(isWrite));
    const known = Object.values(actions).flatMap(({ route }) => route?.[0] ?? []);
    expect(routes.map((path) => path.slice(context.length)).toSorted()).toEqual(
      [...known, ...creatingRoutes].toSorted(),
    );
  });

  it.each(Object.entries(actions))(
    'is answered like acting on missing items: %s',
    async (name, act) => {
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
        const [missingPath, missingBody] = ways('absent')[n] ?? ['', {}];
        const hidden = await server.post(to, body, { key: blind });
        const absent = await server.post(missingPath, missingBody, { key: blind });
        expect([to, hidden.status]).toEqual([to, act.status]);
        expect([hidden.status, comparableProblem(hidden.body, 'hidden')]).toEqual([
          absent.status,
          comparableProblem(absent.body, 'absent'),
        ]);
      }
      expect((await server.get(path)).body._version).toBe(before._version);
      for (const [to, body] of ways('hidden').slice(0, 1))
        expect((await server.post(to, body)).status).toBe(201);
    },
  );

  it.each([
    [
      'a loop',
      'resetting a circuit breaker',
      eventOf('IterationStarted', { subject: 'hidden' }),
      404,
    ],
    ['an issue', 'addressing an issue', review({ keyIssues: [issue] }), 422],
  ])(
    'is refused even if the same write has changed it before: %s',
    async (what, act, changing, status) => {
      const path = await server.context(what.replaceAll(' ', '-'));
      const { made = [], event } = actions[act] ?? {};
      await server.post(`${path}/events`, { events: made });
      const { body: before } = await server.get(path);
      const events = [changing, event?.('hidden')];
      const refused = await server.post(`${path}/events`, { events }, { key: blind });
      expect(refused.status).toBe(status);
      expect((await server.get(path)).body._version).toBe(before._version);
    },
  );

  it('is permitted within one write for items of the same write', async () => {
    const path = await server.context('own-write');
    const events = [task, eventOf('TaskCompleted', { taskId: 'hidden' })];
    expect((await server.post(`${path}/events`, { events }, { key: blind })).status).toBe(201);
    const again = [eventOf('TaskStarted', { taskId: 'hidden' })];
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

/** A problem without the parts that differ from request to request. */
function comparableProblem(body: object, id: string): string {
  const comparable = Object.entries(body).filter(
    ([name]) => !['requestId', 'instance'].includes(name),
  );
  return JSON.stringify(comparable).replaceAll(id, '*');
}
