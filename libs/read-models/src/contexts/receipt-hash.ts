import { createHash } from 'node:crypto';

/** What a receipt is found by: receipts are long. Null for what is no receipt of a server of this kind. */
export function receiptHash(basedOn: string | null): string | null {
  if (!basedOn?.startsWith('r1.')) return null;
  return createHash('sha256').update(basedOn).digest('hex');
}
