import { openPool } from '../../connections.mjs';
import { askOnce } from '../../database-server.mjs';
import { timed } from '../timed.mjs';

const tables = ['contexts', 'context_items', 'context_versions', 'context_agents'];

/**
 * Writes the rows of a completed projection again with COPY from files of the server, one connection per table:
 * `withIndexes` into tables with indexes, `indexesLast` creates them afterwards.
 */
export async function copyRows(given, connectionString) {
  const [{ data_directory: directory }] = await askOnce(connectionString, 'show data_directory');
  const file = (table) => `'${directory}/bench-${table}.copy'`;
  for (const table of tables)
    await askOnce(connectionString, `copy throughline.${table} to ${file(table)} (format binary)`);
  const write = (schema, finish) => writeTables({ given, connectionString, schema, file, finish });
  const likeOurs = 'including all';
  const bare = 'including defaults including storage including compression';
  await makeTables(connectionString, 'with_indexes', likeOurs);
  const withIndexes = await write('with_indexes', () => []);
  await makeTables(connectionString, 'indexes_last', bare);
  const indexesLast = await write('indexes_last', await indexMaker(connectionString));
  return { withIndexes, indexesLast };
}

async function writeTables({ given, connectionString, schema, file, finish }) {
  const pool = openPool(connectionString, tables.length);
  const write = async (table) => {
    await pool.query(`copy ${schema}.${table} from ${file(table)} (format binary)`);
    for (const statement of finish(table, schema)) await pool.query(statement);
  };
  try {
    return await timed(given, {}, () => Promise.all(tables.map(write)));
  } finally {
    await pool.end();
  }
}

function makeTables(connectionString, schema, like) {
  const made = tables.map(
    (table) => `create table ${schema}.${table} (like throughline.${table} ${like})`,
  );
  return askOnce(connectionString, `create schema ${schema}; ${made.join('; ')}`);
}

/** The statements that create the indexes of our tables in another schema. */
async function indexMaker(connectionString) {
  const names = tables.map((table) => `'${table}'`).join(', ');
  const rows = await askOnce(
    connectionString,
    `select tablename, indexdef from pg_indexes where schemaname = 'throughline' and tablename in (${names})`,
  );
  return (table, schema) =>
    rows
      .filter(({ tablename }) => tablename === table)
      .map(({ indexdef }) => indexdef.replace(' ON throughline.', ` ON ${schema}.`));
}
