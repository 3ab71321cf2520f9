import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { Pool } from 'undici';

import { connect } from '../connections.mjs';

/** The minimum cost of an append over HTTP on this machine: a server in a separate process that inserts the body. */
export async function openBareHttp({ connectionString, outputs, clients, name }) {
  const connection = await connect(connectionString);
  await connection.query(
    'create table steps (id bigint generated always as identity primary key, output json not null)',
  );
  await connection.end();
  const program = join(import.meta.dirname, 'bare-http-server.mjs');
  const child = spawn(process.execPath, [program, connectionString, String(clients)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  const pool = new Pool(`http://127.0.0.1:${port.trim()}`, { connections: clients, pipelining: 1 });
  let sent = 0;
  return {
    name,
    server: child.pid,
    request: async () => {
      const body = `{"stepId":"step-${sent}","output":${outputs[sent++ % outputs.length].json}}`;
      const headers = { 'content-type': 'application/json' };
      const answered = await pool.request({ method: 'POST', path: '/steps', body, headers });
      const text = await answered.body.text();
      if (answered.statusCode !== 201) throw new Error(`${answered.statusCode} ${text}`);
    },
    close: async () => {
      await pool.close();
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
