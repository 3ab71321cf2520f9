import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { join } from 'node:path';
import { type TLSSocket, connect, createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';

import { EventStoreDBClient, START } from '@eventstore/db-client';

import {
  type StandInKurrentDb,
  type TestCertificate,
  type TestDirectory,
  makeTestDirectory,
  newTestCertificate,
  openStandIn,
} from '#testing';

const script = join(import.meta.dirname, '..', '..', 'docker', 'make-kurrentdb-user.mjs');
const run = promisify(execFile);

const admin = { login: 'admin', password: 'of-the-administrator' };
const user = { login: 'throughline', password: 'of-the-user' };

/**
 * One port as a KurrentDB node has it: HTTP/1 for users, with the documented answers 201 and 409, and gRPC, which is
 * forwarded to the stand-in server.
 */
class Node {
  /** The answer until the first user can be created, as from a node that is not the leader yet. */
  readonly refusals = [401, 503];
  readonly asked: unknown[] = [];
  readonly #made = new Set<string>();
  readonly #http = createServer((request, answer) => {
    void json(request).then((body) => {
      answer.statusCode = this.#answer(`${request.method} ${request.url}`, body, request.headers);
      answer.end();
    });
  });
  readonly #tls;

  constructor(certificate: TestCertificate, port: number) {
    const [cert, key] = [certificate.certFile, certificate.keyFile].map((file) =>
      readFileSync(file),
    );
    const ALPNProtocols = ['h2', 'http/1.1'];
    this.#tls = createTlsServer({ cert, key, ALPNProtocols }, (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') return this.#http.emit('connection', socket);
      const upstream = connect({ host: '127.0.0.1', port, ca: cert, ALPNProtocols: ['h2'] });
      for (const end of [socket, upstream])
        end.on('error', () => (socket.destroy(), upstream.destroy()));
      return socket.pipe(upstream).pipe(socket);
    });
  }

  async listen(): Promise<number> {
    this.#tls.listen(0, '127.0.0.1');
    await once(this.#tls, 'listening');
    // The address of a server that listens on a port has this type.
    return (this.#tls.address() as AddressInfo).port;
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#tls.close();
  }

  #answer(call: string, body: unknown, { authorization }: IncomingHttpHeaders): number {
    const account = Buffer.from(`${admin.login}:${admin.password}`).toString('base64');
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    if (call !== 'POST /users/' || authorization !== `Basic ${account}`) return 401;
    this.asked.push(body);
    const login = JSON.stringify(body);
    if (this.#made.has(login)) return 409;
    this.#made.add(login);
    return 201;
  }
}

describe('docker/make-kurrentdb-user.mjs', () => {
  let directory: TestDirectory;
  let certificate: TestCertificate;
  let streams: StandInKurrentDb;
  let node: Node;
  let port: number;

  beforeAll(async () => {
    directory = await makeTestDirectory();
    certificate = await newTestCertificate(directory.directory);
    streams = await openStandIn({
      tls: certificate,
      users: [
        { ...admin, groups: ['$admins'] },
        { ...user, groups: [] },
      ],
    });
    node = new Node(certificate, streams.nodes[0]?.port ?? 0);
    port = await node.listen();
  });

  afterAll(async () => {
    node?.close();
    await streams?.close();
    await directory?.remove();
  });

  function url(account: { login: string; password: string }, to = port): string {
    return `esdb://${account.login}:${account.password}@127.0.0.1:${to}?tls=true&tlsCAFile=${certificate.certFile}`;
  }

  function make(env: Readonly<Record<string, string>> = {}) {
    return run(process.execPath, [script, user.login], {
      env: {
        PATH: process.env['PATH'],
        EVENTSTORE_ADMIN_URL: url(admin),
        EVENTSTORE_PASSWORD: user.password,
        NODE_EXTRA_CA_CERTS: certificate.certFile,
        ...env,
      },
    });
  }

  /** Whether the user may follow every stream, which is the purpose of the permission. */
  async function readsAll(): Promise<string> {
    const client = EventStoreDBClient.connectionString(url(user, streams.nodes[0]?.port));
    try {
      for await (const { event } of client.readAll({ fromPosition: START, maxCount: 1 }))
        if (event) break;
      return 'granted';
    } catch (error) {
      return error instanceof Error && 'type' in error ? String(error.type) : String(error);
    } finally {
      await client.dispose();
    }
  }

  it('waits until users can be created, creates the user, and permits it to read $all', async () => {
    expect(await readsAll()).toBe('access-denied');
    const { stdout } = await make();
    expect(stdout).toContain('made the user throughline\nmay read $all: $admins, throughline');
    expect(node.asked).toEqual([
      { loginName: user.login, fullName: 'Throughline', groups: [], password: user.password },
    ]);
    expect(await readsAll()).toBe('granted');
  });

  it('does not change an existing user', async () => {
    const { stdout } = await make();
    expect(stdout).toContain('the user throughline is there');
    expect(await readsAll()).toBe('granted');
  });

  it('reports a missing variable, but no password', async () => {
    const { code, stderr } = await make({ EVENTSTORE_ADMIN_URL: '' }).catch((error) => error);
    expect(code).toBe(2);
    expect(stderr).toContain('EVENTSTORE_ADMIN_URL');
    expect(stderr).not.toContain(user.password);
  });
});
