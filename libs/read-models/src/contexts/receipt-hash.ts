import { sha256 } from '../sha256.js';

/**
 * The index key of a receipt, since receipts are long. Null if the text is not a receipt in the format of this server.
 */
export function receiptHash(basedOn: string | null): string | null {
  if (!basedOn?.startsWith('r1.')) return null;
  return sha256(basedOn);
}
