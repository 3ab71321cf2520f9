// A worker of runs like that of any client: it claims attempts, renews their leases, calls the outside server and
// reports. It runs in a separate process that can be killed. Prints nothing; exits when it is killed.
import { setTimeout as wait } from 'node:timers/promises';

const {
  WORKER_SERVER,
  WORKER_KEY,
  WORKER_AGENT,
  WORKER_OUTSIDE,
  WORKER_HEARTBEAT_MS,
  WORKER_LOOPS,
} = process.env;
const backoffMs = 25;
const heartbeatLimitMs = 1_000;

await Promise.all(Array.from({ length: Number(WORKER_LOOPS) }, executeForever));

async function executeForever() {
  for (;;) {
    const claimed = await post('/v1/work/claim', { agents: [WORKER_AGENT], wait: 20 });
    if (claimed?.status === 200) await execute(claimed.body);
    // The pause of any client before it tries again; no test depends on its length.
    else if (claimed?.status !== 204) await wait(backoffMs);
  }
}

async function execute(work) {
  const lost = new AbortController();
  const done = new AbortController();
  const heartbeats = keepLease(work, lost, done.signal);
  const report = await callOutside(work, lost.signal);
  if (report) await sendReport(work, report, lost.signal);
  done.abort();
  await heartbeats;
}

/** Sends heartbeats one at a time until the work is done or the server reports that the attempt is lost. */
async function keepLease({ attemptToken }, lost, done) {
  for (;;) {
    await wait(Number(WORKER_HEARTBEAT_MS), undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    const signal = AbortSignal.any([done, AbortSignal.timeout(heartbeatLimitMs)]);
    const answer = await post('/v1/work/heartbeat', { attemptToken }, signal);
    if (answer && answer.status >= 400 && answer.status < 500) lost.abort();
  }
}

/** Undefined if the attempt was lost before the outside server answered. */
async function callOutside({ contextId, step, effectKey, recovers }, signal) {
  const kind = recovers?.verify ? 'verify' : 'effect';
  const body = JSON.stringify({
    kind,
    contextId,
    step,
    effectKey,
    recovers: recovers?.attempt ?? null,
  });
  try {
    const answer = await fetch(WORKER_OUTSIDE, { method: 'POST', body, signal });
    const { type, ...report } = await answer.json();
    if (type !== 'hang') return { type, ...report };
    await untilAborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
}

/** Repeats the report until the server has stored or refused it. */
async function sendReport({ attemptToken }, { type, ...report }, signal) {
  while (!signal.aborted) {
    const answer = await post(`/v1/work/${type}`, { attemptToken, ...report });
    if (answer && answer.status < 500 && answer.status !== 429) return;
    await wait(backoffMs);
  }
}

function untilAborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Undefined without an answer. */
async function post(path, body, signal) {
  try {
    const answer = await fetch(`${WORKER_SERVER}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${WORKER_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}
