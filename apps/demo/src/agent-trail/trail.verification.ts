import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { forEachConcurrently } from '../input/concurrency.js';
import { contextPath, DemoClient, storedEvent } from '../server/demo-client.js';
import { type Stage } from '../stage.js';
import { type PlayResult } from './trail.player.js';
import { type Trail, type TrailEvent } from './trail.js';
import { retrospectiveStep } from './trail.writes.js';

const readers = 8;

export type Counts = Readonly<{
  events: number;
  decisions: number;
  failures: number;
  retrospectives: number;
}>;

const noCounts: Counts = { events: 0, decisions: 0, failures: 0, retrospectives: 0 };

/** `stored`: counts of the entries that the API returns unchanged; `lost`: ids of acknowledged events that it does not return. */
export type TrailVerification = Readonly<{ stored: Counts; lost: readonly string[] }>;

const listedDecision = z.looseObject({
  decision: z.string(),
  rationale: z.string().optional(),
  agentId: z.string(),
});

const outputAdded = z.object({ stepId: z.string(), output: z.unknown() });

/** Returns the counts that the verification must find. */
export function countTrails(trails: readonly Trail[]): Counts {
  const events = trails.flatMap(({ chapters }) => chapters.flatMap((each) => each.events));
  return {
    events: events.length,
    decisions: countOf(events, 'decision'),
    failures: countOf(events, 'error'),
    retrospectives: trails.filter(({ retrospective }) => retrospective !== undefined).length,
  };
}

/** Reads every context back: its decisions from their list, the rest from its stored events. */
export async function verifyTrails(
  { server, signal }: Stage,
  trails: readonly Trail[],
  { acknowledged }: PlayResult,
): Promise<TrailVerification> {
  const admin = new DemoClient(server, server.adminKey, signal);
  const lost: string[] = [];
  let counts = noCounts;
  await forEachConcurrently(trails, readers, async (trail) => {
    const stored = await admin.readAll(storedEvent, contextPath(trail.contextId, 'events'));
    const path = contextPath(trail.contextId, 'decisions');
    const decisions = countDecisions(trail, await admin.readAll(listedDecision, path));
    const outputs = stored
      .filter(({ type }) => type === 'StepOutputAdded')
      .map(({ data }) => outputAdded.parse(data));
    const ids = new Set(stored.map(({ eventId }) => eventId));
    const expected = acknowledged.get(trail.contextId) ?? [];
    lost.push(...expected.filter((eventId) => !ids.has(eventId)));
    counts = add(counts, {
      events: countOutputs(trail, outputs),
      decisions,
      failures: stored.filter(({ type }) => type === 'StepFailed').length,
      retrospectives: outputs.filter(
        ({ stepId, output }) =>
          stepId === retrospectiveStep && isDeepStrictEqual(output, trail.retrospective),
      ).length,
    });
  });
  return { stored: counts, lost };
}

/** Counts the events that are stored completely, in their chapter and in order. */
function countOutputs(trail: Trail, stored: readonly z.output<typeof outputAdded>[]): number {
  const expected = trail.chapters.flatMap(({ stepId, events }) =>
    events.map(({ record: output }) => ({ stepId, output })),
  );
  return expected.filter((output, at) => isDeepStrictEqual(stored[at], output)).length;
}

/** Counts the decisions that are listed in order with their text, rationale and agent. */
function countDecisions(trail: Trail, listed: readonly z.output<typeof listedDecision>[]): number {
  const expected = trail.chapters.flatMap(({ agentId, events }) =>
    events.flatMap(({ event }) => (event?.type === 'decision' ? [{ agentId, ...event.raw }] : [])),
  );
  return expected.filter(({ agentId, chosen, reasoning }, at) => {
    const decision = listed[at];
    if (decision?.agentId !== agentId || decision.decision !== chosen) return false;
    return (decision.rationale ?? '') === (reasoning.trim() && reasoning);
  }).length;
}

function countOf(events: readonly TrailEvent[], type: string): number {
  return events.filter(({ event }) => event?.type === type).length;
}

function add(left: Counts, right: Counts): Counts {
  return {
    events: left.events + right.events,
    decisions: left.decisions + right.decisions,
    failures: left.failures + right.failures,
    retrospectives: left.retrospectives + right.retrospectives,
  };
}
