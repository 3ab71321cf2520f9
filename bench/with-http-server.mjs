import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { openServer } from './database-server.mjs';
import { startHttpServer } from './http-server.mjs';

/** Runs the work with the server of a build on a new database, and stops both. */
export async function withHttpServer({ build, name, connections, env }, work) {
  const database = await import(pathToFileURL(join(build, 'libs/database/src/index.js')).href);
  const server = await openServer(database);
  try {
    const connectionString = await server.createDatabase(name);
    const http = await startHttpServer({ connectionString, connections, env });
    try {
      return await work(http);
    } finally {
      await http.close();
    }
  } finally {
    await server.close();
  }
}
