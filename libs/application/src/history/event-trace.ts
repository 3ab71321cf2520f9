import { type TraceLink, type TracedEvent } from '#read-models';

import { type TraceRelation } from './history.queries.js';

export type TraceNode = Readonly<{ event: TracedEvent; relation: TraceRelation }>;
type Trace = Readonly<{ nodes: readonly TraceNode[]; truncated: boolean }>;

/** Finds at most `limit` events by a link, oldest first. */
export type FindLinked = (link: TraceLink, limit: number) => Promise<readonly TracedEvent[]>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isEventId(text: string): boolean {
  return uuid.test(text);
}

/** Follows all causes and all effects of an event, then adds the events of its correlation; at most `limit` events. */
export async function traceEvent(
  self: TracedEvent,
  limit: number,
  find: FindLinked,
): Promise<Trace> {
  const found = new TraceNodes(limit);
  found.add([self], 'self');
  await addAncestors(found, self, find);
  await addDescendants(found, self, find);
  if (self.correlationId !== null && found.room > 0)
    found.add(await find({ correlationId: self.correlationId }, limit + 1), 'correlated');
  return { nodes: found.nodes(), truncated: found.truncated };
}

async function addAncestors(found: TraceNodes, self: TracedEvent, find: FindLinked): Promise<void> {
  let at: TracedEvent | undefined = self;
  while (at && at.causationId !== null && isEventId(at.causationId)) {
    const [cause]: readonly TracedEvent[] = await find({ eventIds: [at.causationId] }, 1);
    at = cause && found.add([cause], 'ancestor')[0];
  }
}

async function addDescendants(
  found: TraceNodes,
  self: TracedEvent,
  find: FindLinked,
): Promise<void> {
  let causes: readonly TracedEvent[] = [self];
  while (causes.length > 0) {
    const effects = await find({ causedBy: causes.map(({ eventId }) => eventId) }, found.room + 1);
    causes = found.add(effects, 'descendant');
  }
}

/** Stores each event once, with the first relation found, so that circular causes end. */
class TraceNodes {
  truncated = false;
  readonly #nodes = new Map<string, TraceNode>();

  constructor(private readonly limit: number) {}

  get room(): number {
    return this.limit - this.#nodes.size;
  }

  nodes(): readonly TraceNode[] {
    return [...this.#nodes.values()];
  }

  /** Adds the events that are new and fit, and returns them. */
  add(events: readonly TracedEvent[], relation: TraceRelation): readonly TracedEvent[] {
    const fresh = events.filter(({ eventId }) => !this.#nodes.has(eventId));
    const taken = fresh.slice(0, this.room);
    if (taken.length < fresh.length) this.truncated = true;
    for (const event of taken) this.#nodes.set(event.eventId, { event, relation });
    return taken;
  }
}
