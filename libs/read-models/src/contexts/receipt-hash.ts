import { sha256 } from '../sha256.js';

/** What a receipt is found by: receipts are long. Null for what is no receipt of a server of this kind. */
export function receiptHash(basedOn: string | null): string | null {
  if (!basedOn?.startsWith('r1.')) return null;
  return sha256(basedOn);
}
