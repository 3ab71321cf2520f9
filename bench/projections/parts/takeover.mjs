import { setTimeout as wait } from 'node:timers/promises';

import { connect } from '../../connections.mjs';
import { Sealer, appendRun } from '../sealed-log.mjs';
import { withStore } from './filled-log.mjs';
import { openProjector } from './our-projection.mjs';

const contexts = 64;
const appendMs = 10;
const pollMs = 5;

/**
 * Two projectors share the partitions; one is killed: the time until the other one has applied events of all of its
 * partitions.
 */
export async function measureTakeover(given) {
  const connectionString = await given.databases.create('takeover');
  return withStore(given, connectionString, async (store) => {
    const client = await connect(connectionString);
    const stop = new AbortController();
    const appending = appendUntil(stop.signal, store, given);
    let projectors = [
      await started(given, connectionString),
      await started(given, connectionString),
    ];
    try {
      const taken = [];
      for (let n = 0; n < given.takeovers; n++) {
        const [victim, ...others] = projectors;
        taken.push(await takeOver(client, victim));
        projectors = [...others, await started(given, connectionString)];
      }
      return taken;
    } finally {
      stop.abort();
      await appending;
      for (const projector of projectors) await projector.close();
      await client.end();
    }
  });
}

async function started(given, connectionString) {
  const projector = await openProjector(given, connectionString);
  projector.begin();
  return projector;
}

/**
 * Milliseconds from the kill until the first partition of the killed process, and until each of them, has progressed.
 */
async function takeOver(client, victim) {
  const owned = await untilShared(client, victim.pid);
  const killed = performance.now();
  await victim.kill();
  const [{ head }] = await ask(client, 'select max(position) as head from throughline.events');
  let first;
  for (;;) {
    const moved = await ask(
      client,
      `select partition from throughline.projection_partitions
       where projection = 'shared-context' and partition = any($1) and position::bigint > $2`,
      [owned, head],
    );
    const now = performance.now() - killed;
    if (moved.length > 0) first ??= now;
    if (moved.length === owned.length) return { partitions: owned.length, first, all: now };
    await wait(pollMs);
  }
}

/** The partitions of this process, once no process has more. */
async function untilShared(client, pid) {
  for (;;) {
    const owned = await ask(
      client,
      `select p.partition, i.pid from throughline.projection_partitions p
       join throughline.projector_instances i on i.instance = p.owner where p.projection = 'shared-context'`,
    );
    const own = owned.filter((row) => row.pid === pid).map(({ partition }) => partition);
    if (own.length > 0 && own.length * 2 === owned.length) return own;
    await wait(pollMs);
  }
}

/** Adds steps to all contexts in turn, so that each partition always has events to apply. */
async function appendUntil(signal, store, { build, texts }) {
  const sealer = new Sealer(build);
  const type = (n) => (n < contexts ? 'ContextCreated' : 'StepOutputAdded');
  for (let n = 0; !signal.aborted; n++) {
    const data = n < contexts ? {} : { stepId: `step-${n}`, output: texts[n % texts.length] };
    const event = { contextId: `takeover-${n % contexts}`, agent: 'agent-0', type: type(n), data };
    await appendRun(store, [sealer.seal(event)]);
    await wait(appendMs);
  }
}

async function ask(client, text, values) {
  return (await client.query(text, values)).rows;
}
