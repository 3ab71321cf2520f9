import { randomFillSync } from 'node:crypto';

import { v7 } from 'uuid';

const bytesPerId = 16;
const pool = new Uint8Array(256 * bytesPerId);
let used = pool.length;

/**
 * A new UUIDv7. It requests random bytes from the system for many ids at once, because such a request costs more than the rest
 * of an id. Ids of the same millisecond are in no particular order.
 */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + bytesPerId);
  used += bytesPerId;
  return v7({ random });
}
