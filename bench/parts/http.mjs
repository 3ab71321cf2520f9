import { startHttpServer } from '../http-server.mjs';
import { measureInterleaved } from '../load.mjs';
import { watchProjection } from '../projection.mjs';
import { openBareHttp } from '../contenders/bare-http.mjs';
import { openLangGraph } from '../contenders/langgraph.mjs';
import { openRawInsert } from '../contenders/raw-insert.mjs';
import { crowds } from './appends.mjs';

const contextsPerClient = 8;
/** The floor: no application over HTTP is faster. */
export const bareHttp = 'Fastify with one insert';
export const langGraph = 'LangGraph PostgresSaver.put';

/**
 * (b) The same append over HTTP, over many contexts and on a single one, compared with a raw insert and with LangGraph
 * in process.
 */
export async function measureHttp(given) {
  const clients = Math.max(...crowds);
  const connectionString = await given.server.createDatabase('bench_http');
  const raw = await openRawInsert({
    ...given,
    connectionString: await given.server.createDatabase('bench_raw_http'),
    name: 'raw insert',
    clients,
  });
  const bare = await openBareHttp({
    ...given,
    connectionString: await given.server.createDatabase('bench_bare_http'),
    name: bareHttp,
    clients,
  });
  const peers = given.peerFault ? [] : [await openPeer(given, clients)];
  const http = await startHttpServer({ connectionString, connections: clients });
  const projection = await watchProjection(connectionString);
  try {
    const contenders = [
      raw,
      bare,
      ...peers,
      await openSpread(http, projection, given.outputs, clients),
      openHot(http, projection, given.outputs),
    ];
    return await measureInterleaved({ ...given, contenders, crowds });
  } finally {
    await Promise.all([raw, bare, ...peers, projection, http].map((each) => each.close()));
  }
}

async function openPeer(given, clients) {
  const connectionString = await given.server.createDatabase('bench_langgraph_http');
  return openLangGraph({ ...given, connectionString, name: langGraph, clients });
}

async function openSpread(http, projection, outputs, clients) {
  const contexts = Array.from({ length: clients * contextsPerClient }, (_, n) => `spread-${n}`);
  for (const contextId of contexts) await createContext(http, contextId);
  await projection.settle();
  let sent = 0;
  const turns = new Map();
  return {
    name: 'HTTP, many contexts',
    server: http.pid,
    request: (client) => {
      const turn = (turns.get(client) ?? 0) + 1;
      turns.set(client, turn);
      const contextId = contexts[(turn % contextsPerClient) * clients + client];
      return addStepOutput(http, contextId, `step-${turn}`, outputs[sent++ % outputs.length]);
    },
    settle: () => projection.settle(),
  };
}

function openHot(http, projection, outputs) {
  let slots = 0;
  let sent = 0;
  return {
    name: 'HTTP, one hot context',
    server: http.pid,
    begin: async () => {
      const contextId = `hot-${slots++}`;
      await createContext(http, contextId);
      await projection.settle();
      return contextId;
    },
    request: (_, contextId) =>
      addStepOutput(http, contextId, `step-${sent}`, outputs[sent++ % outputs.length]),
    settle: () => projection.settle(),
  };
}

export function createContext(http, contextId) {
  return http.call('POST', '/v1/contexts', JSON.stringify({ contextId }));
}

export function addStepOutput(http, contextId, stepId, { json }, headers) {
  const body = `{"stepId":"${stepId}","output":${json}}`;
  return http.call('POST', `/v1/contexts/${contextId}/step-outputs`, body, headers);
}
