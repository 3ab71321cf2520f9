import { z } from 'zod';

/** Formats contexts leave and enter in. */
export const exchangeFormat = z
  .enum(['events-jsonl'], 'must be events-jsonl, the format of this release')
  .meta({ description: 'The format' });
