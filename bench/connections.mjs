import pg from 'pg';

/** Connections whose loss does not end the benchmark; a running statement still fails. */
export async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  client.on('error', ignore);
  await client.connect();
  return client;
}

export function openPool(connectionString, max) {
  const pool = new pg.Pool({ connectionString, max });
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function ignore() {}
