import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { scoresOf } from '../quality/quality.item.js';
import { shownVersion } from '../shown-version.js';
import { type AgentWork, noWork, workOf } from './agent-work.js';
import { type RegisteredAgent } from '../registered-agent.js';

export const agentsPart = memberPart('agents', {
  schema: z
    .record(
      z.string(),
      z.looseObject({
        status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
        executionStart: z.string().nullable(),
        executionEnd: z.string().nullable(),
        retries: z.int(),
        outputs: mapSchema,
      }),
    )
    .meta({
      description: 'The agents that take part, each with its status, times, retries and outputs',
    }),
  searched: null,
  kinds: ['input-check', 'scores'],
  states: ['step', 'step-output', 'step-failure', 'output', 'task', 'phase'],
  render: (items, { facts }) => renderAgents(items, facts.registry),
});

/**
 * Describes each agent that takes part. An agent takes part if it has worked here, if its inputs were checked or its
 * outputs scored, or if it is registered and needs outputs of an agent that takes part.
 */
export function renderAgents(
  items: readonly Item[],
  registry: readonly RegisteredAgent[] = [],
): JsonObject {
  const registered = new Map(registry.map((agent) => [agent.agentId, agent]));
  const work = workOf(items);
  const outputs = Map.groupBy(ofKind('output', items), ({ state }) => String(state['agentId']));
  const assessed = [
    ...ofKind('scores', items).map((item) => scoresOf(item).agent),
    ...ofKind('input-check', items).map(({ key }) => key),
  ];
  const present = new Set([...work.keys(), ...outputs.keys(), ...assessed]);
  return Object.fromEntries(
    [...withDependents(present, registry)].toSorted().map((agentId) => [
      agentId,
      {
        ...describe(registered.get(agentId)),
        ...renderWork(work.get(agentId) ?? noWork),
        outputs: renderOutputs(outputs.get(agentId) ?? []),
      },
    ]),
  );
}

function ofKind(kind: Item['kind'], items: readonly Item[]): readonly Item[] {
  return items.filter((item) => item.kind === kind);
}

/** The present agents, and the registered agents that depend on their outputs, directly or transitively. */
function withDependents(
  present: ReadonlySet<string>,
  registry: readonly RegisteredAgent[],
): ReadonlySet<string> {
  const names = new Set(present);
  // Iterating over a set also visits the elements that are added during the iteration.
  for (const name of names)
    for (const { agentId, needs } of registry) if (needs.includes(name)) names.add(agentId);
  return names;
}

function describe(registered: RegisteredAgent | undefined): JsonObject {
  if (!registered) return {};
  const { name, role, kind, required, optional } = registered;
  return { name, role, kind, inputs: { required, optional } };
}

function renderWork({ isRunning, startedAt, ended, retries }: AgentWork): JsonObject {
  return {
    // Work that other agents ended does not count as completed by this one.
    status: isRunning ? 'in_progress' : (ended?.how ?? 'pending'),
    executionStart: startedAt,
    executionEnd: isRunning ? null : (ended?.at ?? null),
    retries,
  };
}

/** `{ <name>: { stepId, version } }` */
function renderOutputs(outputs: readonly Item[]): JsonObject {
  return Object.fromEntries(
    outputs
      .map(({ state: { name, stepId, version } }): [string, JsonObject] => [
        String(name),
        { stepId: stepId ?? null, version: shownVersion(Number(version)) },
      ])
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
