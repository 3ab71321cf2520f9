import { createHash, randomUUID } from 'node:crypto';

const startOfTime = Date.UTC(2026, 0, 1);
/** The number of events whose appends are sent together; events of one stream are one append. */
const together = 500;
/** In characters: an append has at most a mebibyte. */
const maxLength = 200_000;

/** Seals events into the hash chains of their contexts, as the server does before it appends them. */
export class Sealer {
  #ends = new Map();
  #sealed = 0;

  constructor({ sealEvent }) {
    this.sealEvent = sealEvent;
  }

  seal({ contextId, agent, type, data }) {
    const end = this.#ends.get(contextId) ?? { version: 0, hash: null };
    const event = { eventId: randomUUID(), type, data: JSON.stringify(data) };
    const facts = {
      schemaVersion: 1,
      recordedAt: new Date(startOfTime + ++this.#sealed * 20).toISOString(),
      principal: agent,
      ...{ origin: null, correlationId: randomUUID(), causationId: null, basedOn: null },
      ...{ trust: 'agent', visibility: 'record', encrypted: null, idempotency: null },
    };
    const place = { workspace: 'default', context: contextId, version: end.version + 1 };
    const { metadata, hash } = this.sealEvent({ ...event, facts }, place, end.hash, sha256);
    this.#ends.set(contextId, { version: place.version, hash });
    return { ...event, metadata, contextId, version: place.version };
  }
}

export function streamOf(contextId) {
  return `context-default:${contextId}`;
}

/** Appends sealed events through the port, at full durability; returns them. */
export async function fillLog(store, sealed) {
  const sizes = [];
  const types = new Map();
  const noted = function* () {
    for (const event of sealed) {
      sizes.push(Buffer.byteLength(event.data));
      types.set(event.type, (types.get(event.type) ?? 0) + 1);
      yield event;
    }
  };
  await inRuns(noted(), (run) => appendRun(store, run));
  return { events: sizes.length, sizes, types };
}

/** Groups of some hundred events, those of one context together. */
export async function inRuns(events, append) {
  let waiting = [];
  const flush = async () => {
    const runs = Map.groupBy(waiting, ({ contextId }) => contextId);
    waiting = [];
    await Promise.all([...runs.values()].map(append));
  };
  for (const event of events) if (waiting.push(event) === together) await flush();
  await flush();
}

/** Consecutive events of one context, in as many appends as their size requires. */
export async function appendRun(store, run) {
  for (const part of partsOf(run)) {
    const [{ contextId, version }] = part;
    const events = part.map(({ eventId, type, data, metadata }) => ({
      ...{ eventId, type, data, metadata },
    }));
    await store.append(streamOf(contextId), events, version === 1 ? 'no-stream' : version - 1);
  }
}

function partsOf(run) {
  const parts = [[]];
  let length = 0;
  for (const event of run) {
    length += event.data.length;
    if (length > maxLength && parts.at(-1).length > 0) {
      parts.push([]);
      length = event.data.length;
    }
    parts.at(-1).push(event);
  }
  return parts;
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
