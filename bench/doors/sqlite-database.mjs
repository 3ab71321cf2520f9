import { DatabaseSync } from 'node:sqlite';

/** The part of `better-sqlite3` that `SqliteSaver` needs, on Node's built-in SQLite: no compilation is needed. */
export function openSqliteDatabase(file) {
  const database = new DatabaseSync(file);
  return {
    prepare: (sql) => prepare(database, sql),
    exec: (sql) => database.exec(sql),
    pragma: (text) => database.prepare(`PRAGMA ${text}`).all(),
    transaction: (work) => inTransaction(database, work),
    close: () => database.close(),
  };
}

function prepare(database, sql) {
  const statement = database.prepare(sql);
  const run =
    (method) =>
    (...values) =>
      statement[method](...values.map((value) => value ?? null));
  return { all: run('all'), get: run('get'), run: run('run') };
}

function inTransaction(database, work) {
  return (...parameters) => {
    database.exec('BEGIN');
    try {
      const result = work(...parameters);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
}
