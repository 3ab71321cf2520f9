import { askOnce } from '../database-server.mjs';

/** Databases with equal content: each measurement gets a copy of the files of a filled one. */
export class Databases {
  #made = 0;

  constructor(server) {
    this.server = server;
  }

  create(name) {
    return this.server.createDatabase(`bench_${name}`);
  }

  /** The state some time after a start of the server: on disk, with statistics, and without pending vacuum work. */
  async settle(connectionString) {
    await askOnce(connectionString, 'vacuum (analyze, freeze)');
    await askOnce(connectionString, 'checkpoint');
  }

  /** A copy of a database without connections; it is dropped after `use`. */
  async withCopy(original, use) {
    const name = `bench_copy_${++this.#made}`;
    const source = new URL(original).pathname.slice(1);
    await this.server.ask(`create database ${name} template ${source} strategy file_copy`);
    const connectionString = original.replace(`/${source}`, `/${name}`);
    try {
      return await use(connectionString);
    } finally {
      await this.server.ask(`drop database ${name} with (force)`);
    }
  }
}
