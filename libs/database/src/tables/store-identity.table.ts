import { type Generated } from 'kysely';

/** One row: which store this is. A position or checkpoint of another store, or of a restored backup, says so. */
export type StoreIdentityTable = {
  singleton: Generated<boolean>;
  id: Generated<string>;
};
