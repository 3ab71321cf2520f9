import { type ThroughlineServer } from './throughline-server.js';

/** Shows everything except the work of the planner. */
export const withoutPlanner = {
  show: [{ types: ['*'], visibility: ['record', 'working'] }],
  hide: [{ types: ['*'], authors: ['planner'] }],
};

/** A workflow whose coder has the planner's work as input. */
export const dependentWorkflow = {
  id: 'needy',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'code' },
    { id: 'code', type: 'agent', agent: 'coder', input: 'plan' },
  ],
};

/** Publishes workflows, and creates a key of the coder from which the planner's work is hidden. */
export async function keyOfCoder(
  server: ThroughlineServer,
  definitions: readonly object[],
): Promise<string> {
  for (const definition of definitions)
    expect((await server.post('/v1/workflows', definition)).status).toBe(201);
  expect((await server.call('PUT', '/v1/policies/coders', { body: withoutPlanner })).status).toBe(
    200,
  );
  return server.key({ role: 'agent', agentId: 'coder', audiences: ['coders'] });
}

export async function startRun(
  server: ThroughlineServer,
  contextId: string,
  definitionId: string,
): Promise<void> {
  expect((await server.post('/v1/contexts', { contextId })).status).toBe(201);
  const request = { definitionId, input: 'a task' };
  expect((await server.post(`/v1/contexts/${contextId}/run`, request)).status).toBe(201);
}

/** The events of a context that are visible to a key; without a key, all events. */
export async function eventsOf(server: ThroughlineServer, contextId: string, key?: string) {
  const path = `/v1/contexts/${contextId}/events?limit=500`;
  const { body } = await server.get(path, key === undefined ? {} : { key });
  return body.items as readonly Readonly<{ type: string; data: Record<string, unknown> }>[];
}
