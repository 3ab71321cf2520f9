import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

/** Any JSON object, passed by reference: copying it member by member would lose `__proto__`. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
