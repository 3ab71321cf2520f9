import { Access } from './access.js';
import { EventLog } from './event-log.js';
import { Faults } from './faults.js';
import { originalStreamOf } from './log-record.js';
import { LogWriter } from './log-writer.js';
import { RecentIds } from './recent-ids.js';
import { type ServerNode } from './server-node.js';
import type { StandInSettings } from '../../libs/testing/src/test-kurrentdb.protocol.js';

/** The nodes of one server and their shared state: the log is replicated at once. */
export class Cluster {
  readonly log = new EventLog();
  readonly faults = new Faults();
  readonly access: Access;
  readonly nodes: ServerNode[] = [];
  /** The leader is elected and serves reads, but does not accept appends yet (ClusterVNodeController.cs). */
  isPreLeader = false;
  /** Counts the writes that may have changed permissions. */
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

  /** Elects a running node as the leader, if a majority runs: the requested one, or the next. */
  elect(wanted?: ServerNode): void {
    const running = this.nodes.filter(({ isRunning }) => isRunning);
    const hasMajority = running.length * 2 > this.nodes.length;
    const after = this.#leader ? this.nodes.indexOf(this.#leader) + 1 : 0;
    const inTurn = [...this.nodes.slice(after), ...this.nodes.slice(0, after)];
    const next = wanted ?? inTurn.find(({ isRunning }) => isRunning);
    this.#leader = hasMajority ? next : undefined;
    if (this.#leader) this.#writeEpoch();
  }

  /** Reads of $all omit it, but it has a position in the log. */
  #writeEpoch(): void {
    this.#epoch += 1;
    this.#systemWriter.writeSystemEvent(
      '$epoch-information',
      '$EpochInformation',
      JSON.stringify({ EpochNumber: this.#epoch }),
    );
  }

  /** Some of the records that a server writes at its first start. */
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

  /** Events of other applications in the same log. Resolves once they are readable. */
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
