import { randomBytes } from 'node:crypto';

import { type Fault, type StandInSettings } from './test-kurrentdb.protocol.js';
import { startProgram } from './child-program.js';

/** A KurrentDB of one test file: the stand-in, or the server that `EVENTSTORE_URL` names. */
export type TestKurrentDb = {
  /** Of the whole server: the nodes as seeds, where it has several. */
  readonly connectionString: string;
  readonly nodes: readonly TestKurrentDbNode[];
  /** Unused so far, and another one each time: others may use the same server. */
  namespace(): string;
  readonly isStandIn: boolean;
  /** Undefined for a server that is not the stand-in. */
  readonly faults: KurrentDbFaults | undefined;
  close(): Promise<void>;
};

export type StandInKurrentDb = TestKurrentDb & {
  readonly pid: number;
  /** Over TLS: as another account than the administrator's, `<login>:<password>`, or as nobody. */
  connectionStringAs(account: string | undefined): string;
  /** Over TLS: the account without its password, which is in a file. */
  connectionStringWith(login: string, passwordFile: string): string;
  readonly faults: KurrentDbFaults;
};

type TestKurrentDbNode = Readonly<{ port: number; connectionString: string }>;

/**
 * Switches a fault of test-kurrentdb.protocol.ts, which says what each does. Resolves once it is in force, with
 * how many streams it ended, or with the node that leads from now on.
 */
export type KurrentDbFaults = { switch(fault: Fault): Promise<number> };

/** With TLS, the certificate is its own authority: newTestCertificate makes one. */
export type StandInOptions = Partial<StandInSettings>;

const defaults: StandInSettings = {
  nodes: 1,
  // Sizes are counted as from 24.10.4 on.
  serverVersion: '24.10.5',
  maxAppendSize: 1_048_576,
  // Real servers take a few milliseconds, over which conflicts tell of what no read shows yet.
  commitLatencyMs: 2,
  users: [],
};

/** What a suite asks for that any server can give. The options are those of the stand-in: another has its own. */
export async function openTestKurrentDb(options: StandInOptions = {}): Promise<TestKurrentDb> {
  const connectionString = process.env['EVENTSTORE_URL'];
  return connectionString ? openNamed(connectionString) : await openStandIn(options);
}

/** Always the stand-in, for suites that need faults, several nodes or accounts of their own. */
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
    // Answers name no command: one at a time.
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
 * A server that is not ours: of its nodes, only the seeds of the URL are known. `tlsVerifyCert` is left out, as the client
 * prints the whole URL beside a warning that it has no effect.
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
