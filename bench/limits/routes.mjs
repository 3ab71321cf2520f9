import { largestBody, shapes } from './largest-body.mjs';

const mebibyte = 1_048_576;
/** The part of the limit that remains after headers, names in the path and rounding. */
const spare = 4_096;

/** Preparations of a route: the path below the context, and a body with the id. */
const preparations = {
  acknowledgeHandover: ['handovers', (handoverId) => ({ handoverId, to: 'architect', note: 'n' })],
  approveDecision: ['decisions', awaitingDecision],
  blockTask: ['tasks', (taskId) => ({ taskId, title: 't' })],
  clearBlocker: ['blockers', (blockerId) => ({ blockerId, description: 'd' })],
  completePhase: ['phases/{id}/start', () => ({})],
  completeTask: ['tasks', (taskId) => ({ taskId, title: 't' })],
  failStep: ['steps/{id}/start', () => ({})],
  getKnowledge: ['decisions', (decisionId) => ({ decisionId, decision: 'd' })],
  getStepOutput: ['step-outputs', (stepId) => ({ stepId, output: 1 })],
  provideInput: [
    'input-requests',
    (inputRequestId) => ({ inputRequestId, path: 'a.b', from: 'architect' }),
  ],
  rejectDecision: ['decisions', awaitingDecision],
  reopenContext: ['close', () => ({})],
  resetCircuitBreaker: ['iterations', (subject) => ({ subject })],
  startTask: ['tasks', (taskId) => ({ taskId, title: 't' })],
  updateRisk: ['risks', (riskId) => ({ riskId, severity: 'low', description: 'd' })],
};

function awaitingDecision(decisionId) {
  return { decisionId, decision: 'd', requiresApproval: true };
}

/** Queries that make a route read as much as possible, of the context `large` unless the path names no context. */
const queries = {
  checkContext: ['', `require=${Array.from({ length: 100 }, (_, n) => `step-${n}`).join(',')}`],
  compareContext: ['from=1', 'from=1&limit=500'],
  exportContext: ['format=events-jsonl'],
  getContext: ['', 'asOf=10001'],
  getViewItem: ['', 'limit=500'],
  getView: ['', 'maxTokens=1000000', 'asOf=10001', 'wholeOutputs=100', 'sections=state'],
  listChanges: ['since=0', 'since=0&limit=500'],
  listContexts: ['limit=500', `contains=${encodeURIComponent(pattern(2_000))}`, `q=${words(32)}`],
  listEvents: ['', 'limit=500', 'type=ContextClosed'],
  readFeed: ['after=0&limit=500'],
};

/**
 * Routes whose largest requests are in `cases.mjs`, routes that answer from memory, and streams, which `npm run
 * bench:doors` measures.
 */
const elsewhere = new Set([
  ...['importEvents', 'replaceContext', 'streamContext', 'streamWorkspace'],
  ...['getDocs', 'getLive', 'getMetrics', 'getOpenApi', 'getProblemPage', 'getReady'],
]);

/** These change the state for the other cases. */
const last = new Set(['patchSettings', 'rebuildProjection']);

/**
 * The cases of each route, from the OpenAPI description of the API: for a route with a body, one per shape of the
 * largest body, and the view of the written context. Names in a path without a preparation do not exist; the request is
 * as large in that case.
 */
export function casesOfRoutes({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, method: method.toUpperCase(), ...operation },
    })),
  );
  const others = operations.filter(({ operationId }) => !elsewhere.has(operationId));
  const isLast = ({ operationId }) => last.has(operationId);
  return [...others.filter((each) => !isLast(each)), ...others.filter(isLast)].flatMap(casesOf);
}

function casesOf(operation) {
  if (operation.method === 'GET') return readingCases(operation);
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return writingCases(operation, 'empty', () => undefined);
  return shapes.flatMap((shape) =>
    writingCases(operation, shape, () => largestBody(schema, { shape, bytes: mebibyte - spare })),
  );
}

function readingCases({ path, operationId, 'x-access': access }) {
  return (queries[operationId] ?? ['']).map((query) => ({
    ...{ route: operationId, name: query.slice(0, 40) },
    send: ({ call }) =>
      call('GET', `${place(path, 'large', 'step-7')}${query && `?${query}`}`, undefined, access),
  }));
}

/** Each uses a separate context, so that earlier writes do not affect it. */
function writingCases({ path, method, operationId, 'x-access': access }, id, body) {
  const contextId = `${operationId}-${id}`;
  const isWithin = path.includes('{contextId}');
  const prepare = async ({ call }) => {
    await call('POST', '/v1/contexts', { contextId });
    const [below, prepared] = preparations[operationId] ?? [];
    if (!below) return;
    const target = `/v1/contexts/${contextId}/${below.replace('{id}', id)}`;
    await call('POST', target, prepared(id));
  };
  const write = {
    ...{ route: operationId, name: id },
    ...(isWithin && { prepare }),
    send: ({ call }) => call(method, place(path, contextId, id), body(), access),
  };
  const view = {
    ...{ route: 'getView', name: `behind ${operationId}, ${id}` },
    send: ({ call }) => call('GET', `/v1/contexts/${contextId}/view`),
  };
  return isWithin ? [write, view] : [write];
}

function place(path, contextId, id) {
  return path
    .replace('{contextId}', contextId)
    .replace('{ref}', `step-output:${id}`)
    .replace(/\{\w+\}/g, id);
}

function pattern(members) {
  return JSON.stringify({
    metadata: Object.fromEntries(Array.from({ length: members / 20 }, (_, n) => [`m${n}`, n])),
  });
}

function words(count) {
  return Array.from({ length: count }, (_, n) => `word${n}`).join('+');
}
