import { type Generated } from 'kysely';

/**
 * A single row that identifies the store. Positions and checkpoints record it, so that those of another store or of a
 * restored backup are detected.
 */
export type StoreIdentityTable = {
  singleton: Generated<boolean>;
  id: Generated<string>;
};
