import { connect } from '../connections.mjs';

/** A connection per client with a prepared statement, the fastest use of the driver. */
export async function openRawInsert({ connectionString, outputs, clients, name, storage = [] }) {
  const connections = await Promise.all(
    Array.from({ length: clients }, () => connect(connectionString)),
  );
  await connections[0].query(
    'create table steps (id bigint generated always as identity primary key, output json not null)',
  );
  for (const statement of storage) await connections[0].query(statement);
  let stored = 0;
  return {
    name,
    connectionString,
    stored: () => stored,
    request: async (client) => {
      const values = [outputs[stored++ % outputs.length].json];
      await connections[client].query({
        name: 'insert',
        text: 'insert into steps (output) values ($1) returning id',
        values,
      });
    },
    close: () => Promise.all(connections.map((connection) => connection.end())),
  };
}
