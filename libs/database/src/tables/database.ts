import { type ServerSecretsTable } from './server-secrets.table.js';
import { type StoreIdentityTable } from './store-identity.table.js';

/** Tables queried through kysely's builder, by name inside schema `throughline`. */
export type Database = {
  server_secrets: ServerSecretsTable;
  store_identity: StoreIdentityTable;
};
