import { v7 } from 'uuid';

import { type ContextId } from '#read-models';
import { type AddSummary } from '#shared-context';

import { rootPrincipal } from '../keys/keys.handlers.js';
import { type PreparedWrite } from '../writing/prepared-write.js';

/** As events show it: no agent may be called so, and no key is. */
const summarizerName = 'key:summarizer';

/** The server's own write, on nobody's request. */
export function summaryWrite(id: ContextId, command: AddSummary): PreparedWrite {
  return {
    id,
    principal: { ...rootPrincipal(id.workspace), name: summarizerName },
    commands: [command],
    batch: false,
    refusal: undefined,
    ifMatch: undefined,
    facts: {
      principal: summarizerName,
      ...{ origin: null, correlationId: null, causationId: null, basedOn: null },
      trust: 'agent',
    },
    repeat: undefined,
    eventId: () => v7(),
  };
}
