// The cost of HTTP and one insert: Fastify parses a JSON body, and a prepared statement stores it.
import { fastify } from 'fastify';

import { openPool } from '../connections.mjs';

const [connectionString, connections] = process.argv.slice(2);
const pool = openPool(connectionString, Number(connections));
const app = fastify();

app.post('/steps', async ({ body }, reply) => {
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into steps (output) values ($1) returning id',
    values: [JSON.stringify(body.output)],
  });
  reply.code(201);
  return { id: rows[0].id };
});

process.once('SIGTERM', () => void app.close().then(() => pool.end()));
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${app.server.address().port}\n`);
