import { v5 as uuidv5 } from 'uuid';

/** Never changes: repeating a creation must meet the context the first one made. */
const namespace = '0b0f6d0e-8a3c-5d1b-9f57-6f2f4d3a7c11';

/** The id of a context created without one but with an idempotency key: the same for every repetition. */
export function deriveContextId(workspace: string, principal: string, key: string): string {
  return uuidv5(JSON.stringify([workspace, principal, key]), namespace);
}
