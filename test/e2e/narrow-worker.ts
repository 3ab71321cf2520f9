import { type ThroughlineServer } from './throughline-server.js';

/** Everything but the work of the planner. */
export const coders = {
  show: [{ types: ['*'], visibility: ['record', 'working'] }],
  hide: [{ types: ['*'], authors: ['planner'] }],
};

/** What the coder is to do names work of the planner. */
export const needy = {
  id: 'needy',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'code' },
    { id: 'code', type: 'agent', agent: 'coder', input: 'plan' },
  ],
};

/** Publishes workflows, and makes a key of the coder that sees no work of the planner. */
export async function keyOfCoder(
  server: ThroughlineServer,
  definitions: readonly object[],
): Promise<string> {
  for (const definition of definitions)
    expect((await server.post('/v1/workflows', definition)).status).toBe(201);
  expect((await server.call('PUT', '/v1/policies/coders', { body: coders })).status).toBe(200);
  return server.key({ role: 'agent', agentId: 'coder', audiences: ['coders'] });
}

export async function startRun(
  server: ThroughlineServer,
  contextId: string,
  definitionId: string,
): Promise<void> {
  expect((await server.post('/v1/contexts', { contextId })).status).toBe(201);
  const started = { definitionId, input: 'a task' };
  expect((await server.post(`/v1/contexts/${contextId}/run`, started)).status).toBe(201);
}

/** What a key sees of the events of a context; without one, all of them. */
export async function eventsOf(server: ThroughlineServer, contextId: string, key?: string) {
  const path = `/v1/contexts/${contextId}/events?limit=500`;
  const { body } = await server.get(path, key === undefined ? {} : { key });
  return body.items as readonly Readonly<{ type: string; data: Record<string, unknown> }>[];
}
