import { waitFor } from '#testing';

import { type ThroughlineServer } from '../throughline-server.js';

/** Claims the next attempt of an agent and returns its envelope. The rows that claims read may lag behind the log. */
export async function claim(server: ThroughlineServer, agentId: string, key?: string) {
  const body = { agents: [agentId] };
  const options = key === undefined ? {} : { key };
  const { body: envelope } = await waitFor(
    `work for ${agentId}`,
    () => server.post('/v1/work/claim', body, options),
    { until: ({ status }) => status !== 204 },
  );
  return envelope;
}

/** Claims the next attempt of an agent and completes it. */
export async function finish(
  server: ThroughlineServer,
  agentId: string,
  output: unknown,
  key?: string,
): Promise<void> {
  const { attemptToken } = await claim(server, agentId, key);
  const options = key === undefined ? {} : { key };
  const answer = await server.post('/v1/work/complete', { attemptToken, output }, options);
  expect(answer.status).toBe(201);
}

/** Starts a run in a new context. */
export async function startRun(
  server: ThroughlineServer,
  contextId: string,
  definitionId: string,
  title?: string,
): Promise<void> {
  await server.post('/v1/contexts', { contextId, ...(title !== undefined && { title }) });
  const answer = await server.post(`/v1/contexts/${contextId}/run`, { definitionId });
  expect(answer.status).toBe(201);
}
