import { Access } from './access.js';
import { EventLog } from './event-log.js';
import { Faults } from './faults.js';
import { originalStreamOf } from './log-record.js';
import { LogWriter } from './log-writer.js';
import { RecentIds } from './recent-ids.js';
import { type ServerNode } from './server-node.js';
import type { StandInSettings } from '../../libs/testing/src/test-kurrentdb.protocol.js';

/** The nodes of one server and what they share: the log is replicated at once. */
export class Cluster {
  readonly log = new EventLog();
  readonly faults = new Faults();
  readonly access: Access;
  readonly nodes: ServerNode[] = [];
  /** The leader is elected and serves reads, and takes no appends yet (ClusterVNodeController.cs). */
  isPreLeader = false;
  /** Counts what may have changed who may do what. */
  accessVersion = 0;
  #leader: ServerNode | undefined;
  #epoch = -1;

  constructor(readonly settings: StandInSettings) {
    this.access = new Access(!settings.tls, settings.users);
    this.log.onCommit(({ stream }) => {
      if (stream === '$settings' || originalStreamOf(stream)) this.accessVersion += 1;
    });
    this.#writeEpoch();
    this.#writeFirstEvents();
    this.log.commitLatencyMs = settings.commitLatencyMs;
  }

  get leader(): ServerNode | undefined {
    return this.#leader;
  }

  /** Makes a running node leader, if a majority runs: the one that is wanted, or the next. */
  elect(wanted?: ServerNode): void {
    const running = this.nodes.filter(({ isRunning }) => isRunning);
    const hasMajority = running.length * 2 > this.nodes.length;
    const after = this.#leader ? this.nodes.indexOf(this.#leader) + 1 : 0;
    const inTurn = [...this.nodes.slice(after), ...this.nodes.slice(0, after)];
    const next = wanted ?? inTurn.find(({ isRunning }) => isRunning);
    this.#leader = hasMajority ? next : undefined;
    if (this.#leader) this.#writeEpoch();
  }

  /** No read of $all shows it, but it takes its place in the log. */
  #writeEpoch(): void {
    this.#epoch += 1;
    this.#systemWriter.writeSystemEvent(
      '$epoch-information',
      '$EpochInformation',
      JSON.stringify({ EpochNumber: this.#epoch }),
    );
  }

  /** Some of what a server writes when it starts for the first time. */
  #writeFirstEvents(): void {
    const writer = this.#systemWriter;
    writer.writeSystemEvent('$$$stats-127.0.0.1:2113', '$metadata', '{"$maxAge":86400}');
    for (const login of ['admin', 'ops']) {
      const user = { LoginName: login, FullName: login, Disabled: false };
      writer.writeSystemEvent(`$user-${login}`, '$UserCreated', JSON.stringify(user));
      writer.writeSystemEvent('$users', '$User', `"${login}"`);
    }
    writer.writeSystemEvent('$stats-127.0.0.1:2113', '$statsCollected', '{}');
  }

  /** What other applications have in the same log. Resolves once it can be read. */
  async writeForeign(count: number, bytes: number): Promise<number> {
    const writer = this.#systemWriter;
    const data = JSON.stringify('x'.repeat(bytes));
    for (let left = count; left > 0; left--) writer.writeSystemEvent('others-a', 'happened', data);
    await this.log.whenCommitted(this.log.records.length);
    return count;
  }

  get #systemWriter(): LogWriter {
    return new LogWriter(this.log, new RecentIds());
  }
}
