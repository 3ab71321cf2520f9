import { setTimeout as wait } from 'node:timers/promises';

import { type AddSummary, type ContextId } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { newId } from '../new-id.js';
import { type CommandProcessor } from '../writing/command-processor.js';
import { type Written } from '../writing/round-answers.js';
import { type PreparedWrite } from '../writing/prepared-write.js';

/** As events show it: no agent may be called so, and no key is. */
const summarizerName = 'key:summarizer';

/** Each decides lost races anew until `appendTimeoutMs` has passed. */
export const maxTries = 2;
const pauseMs = 1_000;

/** Nobody waits for a summary, and it was paid for: it is tried once more if others keep writing first. */
export async function addSummary(
  writer: Pick<CommandProcessor, 'submit'>,
  id: ContextId,
  command: AddSummary,
): Promise<Written> {
  const write = summaryWrite(id, command);
  for (let tries = 1; ; tries++)
    try {
      return await writer.submit(write);
    } catch (error) {
      if (!(error instanceof ConcurrencyExhaustedError) || tries === maxTries) throw error;
      await wait(pauseMs);
    }
}

/** The server's own write, on nobody's request. */
function summaryWrite(id: ContextId, command: AddSummary): PreparedWrite {
  return {
    id,
    principal: { ...rootPrincipal(id.workspace), name: summarizerName },
    commands: [command],
    batch: false,
    refusal: undefined,
    ifMatch: undefined,
    facts: {
      principal: summarizerName,
      origin: null,
      correlationId: null,
      causationId: null,
      basedOn: null,
      trust: 'agent',
    },
    repeat: undefined,
    eventId: newId,
  };
}
