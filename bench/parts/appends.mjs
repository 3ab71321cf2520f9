import { tableBytes } from '../database-server.mjs';
import { measureInterleaved } from '../load.mjs';
import { openEmmett } from '../contenders/emmett.mjs';
import { openLangGraph } from '../contenders/langgraph.mjs';
import { openOurApplication } from '../contenders/our-application.mjs';
import { openOurPort } from '../contenders/our-port.mjs';
import { openRawInsert } from '../contenders/raw-insert.mjs';

export const crowds = [1, 8, 32];

/** Rows without compression, as our events table stores rows of this size. */
const uncompressed = [
  'alter table steps set (toast_tuple_target = 4080)',
  'alter table steps alter column output set storage main',
];

const opened = [
  ['raw', 'raw insert', openRawInsert],
  ['raw_plain', 'raw insert, row uncompressed', openRawInsert, { storage: uncompressed }],
  ['port', 'Throughline, EventStore port', openOurPort],
  ['application', 'Throughline, in process', openOurApplication],
  ['emmett', 'Emmett appendToStream', openEmmett, { isPeer: true }],
  ['langgraph', 'LangGraph PostgresSaver.put', openLangGraph, { isPeer: true }],
];

/** (a) One durable append of 2 KB, by 1, 8 and 32 clients. */
export async function measureAppends(given) {
  const contenders = await openAll(given);
  try {
    const slots = await measureInterleaved({ ...given, contenders, crowds });
    return { slots, disk: await Promise.all(contenders.map(diskOf)) };
  } finally {
    for (const { close } of contenders) await close();
  }
}

async function openAll(given) {
  const clients = Math.max(...crowds);
  const contenders = [];
  for (const [database, name, open, { isPeer = false, ...extra } = {}] of opened) {
    if (isPeer && given.peerFault) continue;
    const connectionString = await given.server.createDatabase(`bench_${database}`);
    contenders.push(await open({ ...given, ...extra, connectionString, name, clients }));
  }
  return contenders;
}

async function diskOf({ name, connectionString, stored }) {
  const tables = await tableBytes(connectionString);
  return { name, steps: stored(), bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0) };
}
