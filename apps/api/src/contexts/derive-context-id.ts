import { v5 as uuidv5 } from 'uuid';

/** Must never change: a repeated creation must find the context that the first one created. */
const namespace = '0b0f6d0e-8a3c-5d1b-9f57-6f2f4d3a7c11';

/** The id of a context that is created with an idempotency key but without an id; repeated requests get the same id. */
export function deriveContextId(workspace: string, principal: string, key: string): string {
  return uuidv5(JSON.stringify([workspace, principal, key]), namespace);
}
