import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ServerHttp2Session } from 'node:http2';

import { Server, ServerCredentials, type Metadata } from '@grpc/grpc-js';

import { type Action } from './access.js';
import { type CallSession } from './call-session.js';
import { type Cluster } from './cluster.js';
import { type EventLog } from './event-log.js';
import { cancelled, notLeader, notReady, timedOut, unavailable } from './grpc-errors.js';
import { Gate } from './gate.js';
import { addServices } from './grpc-services.js';
import { LogView } from './log-view.js';
import { LogWriter } from './log-writer.js';
import { RecentIds } from './recent-ids.js';
import type { StreamEnd } from '../../libs/testing/src/test-kurrentdb.protocol.js';
import { waitUnless } from './waiting.js';

const host = '127.0.0.1';

/** The default CommitTimeoutMs of a server. */
const commitTimeoutMs = 2_000;

/** The limit of messages from clients equals that of messages to them. */
const channelOptions = {
  'grpc.max_receive_message_length': 17 * 1024 * 1024,
  'grpc.max_send_message_length': -1,
  // Kestrel's default limit, which the server does not change.
  'grpc.max_concurrent_streams': 100,
};

export class ServerNode {
  readonly instanceId = randomUUID();
  /** The name in gossip and refusals. */
  host = host;
  readonly awake = new Gate();
  readonly recent = new RecentIds();
  readonly writer: LogWriter;
  readonly appendStreams = new Set<CallSession<never>>();
  readonly subscriptions = new Set<CallSession<never>>();
  #server: Server | undefined;
  #port = 0;
  #view: LogView;
  /** Callbacks of the next write, and of a change of the view. */
  readonly #growing = new Set<() => void>();

  constructor(readonly cluster: Cluster) {
    this.writer = new LogWriter(cluster.log, this.recent);
    this.#view = newView(cluster.log);
    cluster.log.onCommit(() => this.#grow());
  }

  get port(): number {
    return this.#port;
  }

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  get isLeader(): boolean {
    return this.cluster.leader === this;
  }

  /** The part of the log that this node has. */
  get view(): LogView {
    return this.#view;
  }

  freeze(isFrozen: boolean): void {
    const { log } = this.cluster;
    const { committed } = log;
    this.#view = isFrozen ? new LogView(log, () => committed) : newView(log);
    this.#grow();
  }

  /** Listens on the previous port, if there was one. */
  async start(): Promise<void> {
    if (this.#server) return;
    const server = new Server(channelOptions);
    addServices(server, this);
    this.#port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`${host}:${this.#port}`, this.#credentials(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
    this.#server = server;
  }

  /** Stops at once, with all connections. Data in memory only is lost. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    this.recent.clear();
    this.awake.open();
    server.forceShutdown();
    // The port is free after the listening socket has closed.
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  }

  /** Waits while the node is silent, and authenticates the caller. */
  async admit(
    call: Readonly<{ metadata: Metadata }>,
    signal: AbortSignal,
    access: { action: Action; stream: string },
  ): Promise<void> {
    await this.awake.pass(signal);
    if (signal.aborted) throw cancelled();
    this.cluster.access.check(call.metadata, this.view, access);
  }

  /** Throws if the call requires the leader, and this node is not the leader. */
  requireLeader({ metadata }: Readonly<{ metadata: Metadata }>): void {
    const { leader } = this.cluster;
    const isRequired = String(metadata.get('requires-leader')[0]).toLowerCase() === 'true';
    if (!isRequired || this.isLeader) return;
    throw leader ? notLeader(leader.host, leader.port) : notReady();
  }

  /** The writer of the leader, to which a follower forwards writes. */
  async findWriter(signal: AbortSignal): Promise<LogWriter> {
    const { leader } = this.cluster;
    if (!leader || this.cluster.isPreLeader) throw notReady();
    await leader.awake.pass(signal);
    if (signal.aborted) throw cancelled();
    // Stopping a node cancels the calls that waited for it.
    if (!this.isRunning || !leader.isRunning) throw notReady();
    return leader.isLeader ? leader.writer : await this.findWriter(signal);
  }

  /**
   * Resolves once the written records are committed, which is the time of the answer. Throws ABORTED after the server's
   * commit timeout. The repetition of an uncommitted append is dropped and always ends with ABORTED
   * (StorageWriterService.cs).
   */
  async committed(position: number, isRepeat: boolean, signal: AbortSignal): Promise<void> {
    const { log } = this.cluster;
    if (log.isCommitted(position)) return;
    const late = AbortSignal.timeout(commitTimeoutMs);
    const over = AbortSignal.any([signal, late]);
    while (!over.aborted && (isRepeat || !log.isCommitted(position)))
      await waitUnless(over, (committed) => log.onCommit(committed));
    if (late.aborted) throw timedOut('Commit phase timeout.');
    await this.awake.pass(signal);
    if (signal.aborted) throw cancelled();
  }

  /** Closes the session with all its calls. */
  abortConnection(peer: string): void {
    this.cluster.faults.abortedConnections += 1;
    const port = Number(/:(\d+)$/.exec(peer)?.[1]);
    // grpc-js does not expose its connections.
    const sessions: ReadonlyMap<ServerHttp2Session, unknown> =
      this.#server?.['sessions'] ?? new Map();
    for (const session of sessions.keys())
      if (session.socket.remotePort === port) session.destroy();
  }

  /** Resolves when the view may have more than `size` records, or the signal is aborted. */
  async grown(size: number, signal: AbortSignal): Promise<void> {
    if (this.view.size > size) return;
    await waitUnless(signal, (grown) => {
      this.#growing.add(grown);
      return () => void this.#growing.delete(grown);
    });
  }

  #grow(): void {
    for (const grown of Array.from(this.#growing)) grown();
  }

  #credentials(): ServerCredentials {
    const { tls } = this.cluster.settings;
    if (!tls) return ServerCredentials.createInsecure();
    const pair = { cert_chain: readFileSync(tls.certFile), private_key: readFileSync(tls.keyFile) };
    return ServerCredentials.createSsl(null, [pair]);
  }
}

function newView(log: EventLog): LogView {
  return new LogView(log, () => log.committed);
}

export function failureOf(end: StreamEnd) {
  switch (end) {
    case 'ok':
      return undefined;
    case 'cancelled':
      return cancelled();
    case 'unavailable':
      return unavailable();
  }
}
