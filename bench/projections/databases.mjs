import { askOnce } from '../database-server.mjs';

/** Databases that begin alike: a filled one is copied, file by file, for every measurement. */
export class Databases {
  #made = 0;

  constructor(server) {
    this.server = server;
  }

  create(name) {
    return this.server.createDatabase(`bench_${name}`);
  }

  /** As after a start of the server some time ago: on disk, with statistics, and nothing left to vacuum. */
  async settle(connectionString) {
    await askOnce(connectionString, 'vacuum (analyze, freeze)');
    await askOnce(connectionString, 'checkpoint');
  }

  /** A copy of a database that nobody is connected to; `use` has it and it goes away. */
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
