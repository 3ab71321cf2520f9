import { type ServerSecretsTable } from './server-secrets.table.js';
import { type StoreIdentityTable } from './store-identity.table.js';

/** Tables that are queried through Kysely's builder, by name within schema `throughline`. */
export type Database = {
  server_secrets: ServerSecretsTable;
  store_identity: StoreIdentityTable;
};
