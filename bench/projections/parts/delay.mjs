import { setTimeout as wait } from 'node:timers/promises';

import { connect } from '../../connections.mjs';
import { startHttpServer } from '../../http-server.mjs';
import { addStepOutput, createContext } from '../../parts/http.mjs';
import { watchProjection } from '../../projection.mjs';
import { timed } from '../timed.mjs';
import { median, quantile } from '../../statistics.mjs';

const contexts = 200;
const connections = 64;
const pollMs = 1;
/** The list is requested for a fraction of the appends: a request costs the server more than an append. */
const oneListed = 50;

/** The time from the acknowledgment of an append to its appearance in the row of lists, and in the list over HTTP. */
export async function measureDelay(given) {
  const connectionString = await given.databases.create('delay');
  const http = await startHttpServer({ connectionString, connections });
  const projection = await watchProjection(connectionString);
  const rows = await watchRows(connectionString);
  try {
    for (let n = 0; n < contexts; n++) await createContext(http, `delay-${n}`);
    await projection.settle();
    await load({ ...given, seconds: 2 }, http, () => undefined);
    const listed = [];
    const seen = (context, version, number) =>
      number % oneListed === 0
        ? watchList(http, context, version, listed)
        : rows.expect(context, version);
    let appends;
    const { processor } = await timed(given, http, async () => {
      appends = await load(given, http, seen);
      await rows.settle();
    });
    return { appends, processor, row: summary(rows.delays), list: summary(listed) };
  } finally {
    rows.stop();
    await Promise.all([projection.close(), http.close()]);
  }
}

/** This number of appends per second, regardless of outstanding answers; `acknowledged` is called for each. */
async function load({ texts, appendsPerSecond, seconds }, http, acknowledged) {
  const latencies = [];
  const sent = [];
  const started = performance.now();
  const send = async (number) => {
    const context = `delay-${number % contexts}`;
    const json = JSON.stringify(texts[number % texts.length]);
    const at = performance.now();
    const answer = await addStepOutput(http, context, `step-${number}`, { json });
    latencies.push(performance.now() - at);
    await acknowledged(context, JSON.parse(answer).version, number);
  };
  for (let number = 0; number < appendsPerSecond * seconds; number++) {
    const due = started + (number / appendsPerSecond) * 1000;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    sent.push(send(number));
  }
  await Promise.all(sent);
  const perSecond = (latencies.length / (performance.now() - started)) * 1000;
  return { perSecond, ...summary(latencies) };
}

/** Polls the rows of pending contexts every millisecond. */
async function watchRows(connectionString) {
  const client = await connect(connectionString);
  const waiting = new Map();
  const delays = [];
  let stopped = false;
  const look = async () => {
    const { rows } = await client.query({
      name: 'look',
      text: "select context_id, version from throughline.contexts where workspace = 'default' and context_id = any($1)",
      values: [[...waiting.keys()]],
    });
    const now = performance.now();
    for (const { context_id: context, version } of rows) {
      const expected = waiting.get(context) ?? [];
      const left = expected.filter((each) => each.version > version);
      for (const { at } of expected.filter((each) => each.version <= version))
        delays.push(now - at);
      if (left.length > 0) waiting.set(context, left);
      else waiting.delete(context);
    }
  };
  const looking = (async () => {
    for (; !stopped; await wait(pollMs)) if (waiting.size > 0) await look();
    await client.end();
  })();
  return {
    delays,
    expect: (context, version) => {
      const expected = waiting.get(context) ?? [];
      waiting.set(context, [...expected, { version, at: performance.now() }]);
    },
    settle: async () => {
      while (waiting.size > 0) await wait(pollMs);
    },
    stop: () => {
      stopped = true;
      return looking;
    },
  };
}

/** Requests the list until it contains the version; the time of that answer counts. */
async function watchList(http, context, version, delays) {
  const at = performance.now();
  for (;;) {
    const { items } = JSON.parse(await http.call('GET', `/v1/contexts?limit=${contexts}`));
    const item = items.find(({ contextId }) => contextId === context);
    if (item.version >= version) break;
  }
  delays.push(performance.now() - at);
}

function summary(latencies) {
  return { count: latencies.length, p50: median(latencies), p99: quantile(latencies, 0.99) };
}
