import { createHmac, hkdfSync } from 'node:crypto';

import { type TestDatabase } from '#testing';

/** A receipt of these facts, signed as the store in the database signs it, for any version of Throughline. */
export async function signedReceipt(
  { pool }: TestDatabase,
  facts: readonly unknown[],
): Promise<string> {
  const { rows } = await pool.query<{ value: Buffer }>(
    `select value from throughline.server_secrets where name = 'fingerprint-key'`,
  );
  const secret = rows[0]?.value ?? Buffer.alloc(0);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'throughline.receipts.v1', 32));
  const signed = `r1.${Buffer.from(JSON.stringify(facts)).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** The facts in a receipt. */
export function factsOfReceipt(receipt: string): readonly unknown[] {
  const [, encoded = ''] = receipt.split('.');
  const facts: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
  if (!Array.isArray(facts)) throw new Error('no receipt of this form');
  return facts;
}
