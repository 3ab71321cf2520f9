import { randomBytes } from 'node:crypto';

import { type Fault, type StandInSettings } from './test-kurrentdb.protocol.js';
import { startProgram } from './child-program.js';

/** A KurrentDB of one test file: the stand-in, or the server that `EVENTSTORE_URL` names. */
export type TestKurrentDb = {
  /** The connection string of the whole server: if it has several nodes, all of them as seeds. */
  readonly connectionString: string;
  readonly nodes: readonly TestKurrentDbNode[];
  /** A new, unused name at each call, because other clients may use the same server. */
  namespace(): string;
  readonly isStandIn: boolean;
  /** Undefined for a server that is not the stand-in. */
  readonly faults: KurrentDbFaults | undefined;
  close(): Promise<void>;
};

export type StandInKurrentDb = TestKurrentDb & {
  readonly pid: number;
  /** Over TLS: with an account other than the administrator's, `<login>:<password>`, or without an account. */
  connectionStringAs(account: string | undefined): string;
  /** Over TLS: the account without its password, which is in a file. */
  connectionStringWith(login: string, passwordFile: string): string;
  readonly faults: KurrentDbFaults;
};

type TestKurrentDbNode = Readonly<{ port: number; connectionString: string }>;

/**
 * Switches a fault of test-kurrentdb.protocol.ts, which describes the faults. Resolves once the fault is in effect,
 * with the number of streams that it ended, or with the new leader.
 */
export type KurrentDbFaults = { switch(fault: Fault): Promise<number> };

/** With TLS, the certificate is its own authority; `newTestCertificate` creates one. */
export type StandInOptions = Partial<StandInSettings>;

const defaults: StandInSettings = {
  nodes: 1,
  // Sizes are counted like in versions from 24.10.4.
  serverVersion: '24.10.5',
  maxAppendSize: 1_048_576,
  // Real servers take a few milliseconds, in which conflicts report events that no read returns yet.
  commitLatencyMs: 2,
  users: [],
};

/** Opens the server for suites that run on any server. The options apply to the stand-in only. */
export async function openTestKurrentDb(options: StandInOptions = {}): Promise<TestKurrentDb> {
  const connectionString = process.env['EVENTSTORE_URL'];
  return connectionString ? openNamed(connectionString) : await openStandIn(options);
}

/** Always opens the stand-in, for suites that need faults, several nodes or separate accounts. */
export async function openStandIn(options: StandInOptions = {}): Promise<StandInKurrentDb> {
  const settings = { ...defaults, ...options };
  const program = startProgram('../../../test/kurrentdb/stand-in', JSON.stringify(settings));
  const ports = await readPorts(program);
  const { tls } = options;
  const administrator = tls && 'admin:changeit';
  const toUrl = (seeds: readonly number[], account: string | undefined) =>
    formatUrl(seeds, { account, caFile: tls?.certFile });
  return {
    pid: program.pid,
    connectionString: toUrl(ports, administrator),
    connectionStringAs: (account) => toUrl(ports, account),
    connectionStringWith: (login, passwordFile) =>
      `${toUrl(ports, login)}&passwordFile=${passwordFile}`,
    nodes: ports.map((port) => ({ port, connectionString: toUrl([port], administrator) })),
    namespace: newNamespace,
    isStandIn: true,
    faults: faultsOf(program),
    close: () => program.kill('SIGKILL'),
  };
}

type Program = ReturnType<typeof startProgram>;

async function readPorts(program: Program): Promise<readonly number[]> {
  const { ready } = await program.next('ready');
  const ports = typeof ready === 'object' && ready && 'ports' in ready ? ready.ports : undefined;
  if (!Array.isArray(ports)) throw new Error('the stand-in server did not name its ports');
  return ports.map(Number);
}

function faultsOf(program: Program): KurrentDbFaults {
  let last: Promise<unknown> = Promise.resolve();
  let seq = 0;
  const command = async (fault: Fault): Promise<number> => {
    seq += 1;
    program.send(JSON.stringify({ ...fault, seq }));
    const { affected, failed } = await program.next('affected');
    if (failed !== undefined) throw new Error(`${fault.fault}: ${String(failed)}`);
    return Number(affected);
  };
  return {
    // Responses do not identify a command, so commands run one at a time.
    switch: (fault) => {
      const done = last.then(() => command(fault));
      last = Promise.allSettled([done]);
      return done;
    },
  };
}

function formatUrl(
  ports: readonly number[],
  { account, caFile }: { account: string | undefined; caFile: string | undefined },
): string {
  const seeds = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const query = caFile === undefined ? 'tls=false' : `tls=true&tlsCAFile=${caFile}`;
  return `esdb://${account === undefined ? '' : `${account}@`}${seeds}?${query}`;
}

/**
 * An external server: the only known nodes are the seeds of the URL. `tlsVerifyCert` is omitted, because the client
 * prints the whole URL in a warning that this option has no effect.
 */
function openNamed(named: string): TestKurrentDb {
  const connectionString = named.replace(/(\?|&)tlsVerifyCert=[^&]*(&|$)/i, (_, before, after) =>
    after === '' ? '' : String(before),
  );
  const { seeds = '', query = '' } =
    /^esdb(?:\+discover)?:\/\/(?:[^@/?]*@)?(?<seeds>[^/?]*)\/?(?<query>.*)$/.exec(connectionString)
      ?.groups ?? {};
  const account = /^esdb(?:\+discover)?:\/\/([^@/?]*@)/.exec(connectionString)?.[1] ?? '';
  const nodes = seeds.split(',').map((seed) => ({
    port: Number(/:(\d+)$/.exec(seed)?.[1] ?? 2113),
    connectionString: `esdb://${account}${seed}${query}`,
  }));
  return {
    connectionString,
    nodes,
    namespace: newNamespace,
    isStandIn: false,
    faults: undefined,
    close: () => Promise.resolve(),
  };
}

function newNamespace(): string {
  return `t_${randomBytes(8).toString('hex')}`;
}
