import { superuser } from './initialize-cluster.js';

/** The database of an embedded server that holds all data of Throughline. */
export const databaseName = 'throughline';

export function embeddedConnectionString(port: number, password: string, database: string): string {
  const url = new URL(`postgresql://127.0.0.1:${port}/`);
  url.username = superuser;
  url.password = password;
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
