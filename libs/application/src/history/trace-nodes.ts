import {
  type CallOptions,
  type EventStore,
  type JsonObject,
  type StoredEvent,
  UndecodableEventError,
} from '#event-sourcing';
import { authorOf, contextStream, decodeEvent, eventLine } from '#shared-context';

import { type TraceNode } from './event-trace.js';

/** Consecutive versions of a context are read at once, up to this number to limit memory. */
const longestRun = 50;
const readsAtOnce = 8;

/** Renders the nodes of a trace with summaries of their events, in the order of recording. */
export async function showTrace(
  store: Pick<EventStore, 'readStream'>,
  nodes: readonly TraceNode[],
  options?: CallOptions,
): Promise<readonly JsonObject[]> {
  const runs = runsOf(nodes);
  const shown: JsonObject[] = [];
  for (let at = 0; at < runs.length; at += readsAtOnce) {
    const batch = runs.slice(at, at + readsAtOnce);
    const read = await Promise.all(batch.map((run) => showRun(store, run, options)));
    shown.push(...read.flat());
  }
  return shown.toSorted(byTime);
}

type Run = readonly [TraceNode, ...TraceNode[]];

function runsOf(nodes: readonly TraceNode[]): readonly Run[] {
  const runs: [TraceNode, ...TraceNode[]][] = [];
  for (const node of nodes.toSorted(byPlace)) {
    const run = runs.at(-1);
    if (run && run.length < longestRun && follows(run.at(-1), node)) run.push(node);
    else runs.push([node]);
  }
  return runs;
}

function follows(last: TraceNode | undefined, { event }: TraceNode): boolean {
  return last?.event.contextId === event.contextId && last.event.version + 1 === event.version;
}

async function showRun(
  store: Pick<EventStore, 'readStream'>,
  run: Run,
  options?: CallOptions,
): Promise<readonly JsonObject[]> {
  const read = { from: run[0].event.version, limit: run.length };
  const stored = await store.readStream(contextStream(run[0].event), read, options);
  return run.map(({ event, relation }, at) => {
    const { contextId, version, eventId, correlationId, causationId } = event;
    const links = { eventId, relation, contextId, version, correlationId, causationId };
    const found = stored[at];
    return { ...links, ...(found ? summarizeEvent(found) : {}) };
  });
}

/** An event that this version cannot decode still has its position and its type. */
function summarizeEvent(stored: StoredEvent): JsonObject {
  try {
    const event = decodeEvent(stored);
    const { type, recordedAt, principal } = event;
    return { type, recordedAt, principal, agentId: authorOf(event), line: eventLine(event) };
  } catch (error) {
    if (!(error instanceof UndecodableEventError)) throw error;
    return { type: stored.type, recordedAt: null, principal: null, agentId: null, line: null };
  }
}

function byPlace({ event: left }: TraceNode, { event: right }: TraceNode): number {
  if (left.contextId !== right.contextId) return left.contextId < right.contextId ? -1 : 1;
  return left.version - right.version;
}

function byTime(left: JsonObject, right: JsonObject): number {
  const [a, b] = [left, right].map(
    ({ recordedAt, contextId, version }) =>
      `${String(recordedAt)} ${String(contextId)} ${String(version).padStart(12, '0')}`,
  );
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
