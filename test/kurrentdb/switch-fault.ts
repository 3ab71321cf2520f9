import { type Cluster } from './cluster.js';
import { type ServerNode, failureOf } from './server-node.js';
import type {
  Fault,
  FaultAnswer,
  FaultCommand,
  StreamEnd,
} from '../../libs/testing/src/test-kurrentdb.protocol.js';

export async function switchFault(cluster: Cluster, command: FaultCommand): Promise<FaultAnswer> {
  const { seq } = command;
  try {
    return { seq, affected: (await apply(cluster, command)) ?? 0 };
  } catch (error) {
    return { seq, affected: 0, failed: String(error) };
  }
}

async function apply(cluster: Cluster, fault: Fault): Promise<number | undefined> {
  const { faults, nodes } = cluster;
  switch (fault.fault) {
    case 'silence':
      return switchGate(nodeAt(cluster, fault.node).awake, fault.isOn);
    case 'stall-subscriptions':
      return switchGate(faults.subscriptions, fault.isOn);
    case 'drop-answers':
      return void (faults.dropAnswers = fault.count);
    case 'end-next-append':
      return void (faults.endNextAppend = { isStored: fault.isStored, end: fault.end });
    case 'end-append-streams':
      return sum(nodes.map((node) => endAll(node.appendStreams, 'ok')));
    case 'cut-subscriptions':
      return sum(nodes.map((node) => endAll(node.subscriptions, fault.end)));
    case 'repeat-events':
      return void (faults.repeatEvents = fault.count);
    case 'bad-checkpoint':
      return void (faults.badCheckpoints = 1);
    case 'forget-recent-ids':
      return nodes.forEach(({ recent }) => recent.clear()) ?? 0;
    case 'freeze':
      return nodeAt(cluster, fault.node).freeze(fault.isOn) ?? 0;
    case 'pre-leader':
      return void (cluster.isPreLeader = fault.isOn);
    case 'slow-consumers':
      faults.slowConsumerMs = fault.milliseconds;
      return faults.abortedConnections;
    case 'change-password':
      return void cluster.access.changePassword(fault.login, fault.password);
    case 'advertise':
      return void (nodeAt(cluster, fault.node).host = fault.host);
    case 'slow-searches':
      return void (faults.searchMs = fault.milliseconds);
    case 'foreign-events':
      return cluster.writeForeign(fault.count, fault.bytes);
    case 'slow-commits':
      return void (cluster.log.commitLatencyMs = fault.milliseconds);
    case 'lose-leader':
      return loseLeader(cluster, fault);
    case 'stop-node':
      return await stop(cluster, nodeAt(cluster, fault.node), fault.isGraceful ?? false);
    case 'start-node':
      return await start(cluster, nodeAt(cluster, fault.node));
  }
}

function loseLeader(
  cluster: Cluster,
  { end, to }: { end: StreamEnd; to?: number | undefined },
): number {
  const old = cluster.leader;
  const wanted = to === undefined ? undefined : nodeAt(cluster, to);
  if (wanted && !wanted.isRunning) throw new Error(`node ${to} does not run`);
  cluster.elect(wanted);
  if (!cluster.leader || cluster.leader === old) throw new Error('no other node can lead');
  if (old) {
    endAll(old.appendStreams, end);
    endAll(old.subscriptions, end);
  }
  return cluster.nodes.indexOf(cluster.leader);
}

async function stop(cluster: Cluster, node: ServerNode, isGraceful: boolean): Promise<number> {
  const hasLed = node.isLeader;
  // Since 24.4, servers end open calls when they shut down.
  if (isGraceful)
    for (const sessions of [node.appendStreams, node.subscriptions]) endAll(sessions, 'cancelled');
  await node.stop();
  const hasMajority =
    cluster.nodes.filter(({ isRunning }) => isRunning).length * 2 > cluster.nodes.length;
  if (hasLed || !hasMajority) cluster.elect();
  return 0;
}

async function start(cluster: Cluster, node: ServerNode): Promise<number> {
  await node.start();
  if (!cluster.leader) cluster.elect();
  return 0;
}

function endAll(sessions: ServerNode['subscriptions'], end: StreamEnd): number {
  const open = [...sessions];
  for (const session of open) session.finish(failureOf(end));
  return open.length;
}

function switchGate(gate: { open(): void; close(): void }, isOn: boolean): number {
  if (isOn) gate.close();
  else gate.open();
  return 0;
}

function nodeAt(cluster: Cluster, index: number): ServerNode {
  const node = cluster.nodes[index];
  if (!node) throw new Error(`there is no node ${index}`);
  return node;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
