import { openDbos } from './contenders/dbos.mjs';
import { openLangGraph } from './contenders/langgraph.mjs';
import { openOurs } from './contenders/ours.mjs';

export const ours = { loop: 'Throughline, a loop', chain: 'Throughline, growing context' };
export const dbos = 'DBOS Transact';
export const langGraph = {
  constant: 'LangGraph, constant state',
  growing: 'LangGraph, growing state',
};

/** As many connections as ours uses for steps: ten, and eight for appends. */
const connections = 18;

const open = {
  [ours.loop]: (given, database) => openOurs(given, database, { grows: false }),
  [dbos]: (_, database) => openDbos(database, { connections }),
  [langGraph.constant]: (_, database) => openLangGraph(database, { connections, grows: false }),
  [ours.chain]: (given, database) => openOurs(given, database, { grows: true }),
  [langGraph.growing]: (_, database) => openLangGraph(database, { connections, grows: true }),
};

export function contenderNames({ peerFault }) {
  const own = new Set(Object.values(ours));
  return Object.keys(open).filter((name) => !peerFault || own.has(name));
}

/**
 * `run(steps, visit)` executes one run of this number of steps, each of which calls `visit` and stores its result
 * before the next begins; it resolves after the run has ended. `runs` is the maximum number of concurrent runs.
 * `settle` resolves once no background work is left.
 */
export function openContender(given, name, connectionString) {
  return open[name](given, connectionString);
}
