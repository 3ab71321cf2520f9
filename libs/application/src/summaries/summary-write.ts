import { setTimeout as wait } from 'node:timers/promises';

import { type AddSummary, type ContextId } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { newId } from '../new-id.js';
import { type CommandProcessor } from '../writing/command-processor.js';
import { type WriteResult } from '../writing/round-answers.js';
import { type PreparedWrite } from '../writing/prepared-write.js';

/** The principal in events; no agent or key can have this name. */
const summarizerName = 'key:summarizer';

/** Each try repeats lost races until `appendTimeoutMs` has passed. */
export const maxTries = 2;
const pauseMs = 1_000;

/** A summary has used up paid tokens, and no request waits for it, so its write is tried once more after lost races. */
export async function addSummary(
  writer: Pick<CommandProcessor, 'submit'>,
  id: ContextId,
  command: AddSummary,
): Promise<WriteResult> {
  const write = summaryWrite(id, command);
  for (let tries = 1; ; tries++)
    try {
      return await writer.submit(write);
    } catch (error) {
      if (!(error instanceof ConcurrencyExhaustedError) || tries === maxTries) throw error;
      await wait(pauseMs);
    }
}

/** A write of the server itself, without a request. */
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
