import { Injectable } from '@nestjs/common';

import { DomainError } from '#event-sourcing';
import { createsContext } from '#shared-context';

import { ContextRegistry } from './context-registry.js';
import { CommandProcessor } from './command-processor.js';
import { type PreparedWrite } from './prepared-write.js';
import { type WriteResult } from './round-answers.js';
import { type WriteAnswer, type WriteRequest } from './write-context.command.js';
import { WriteOutcomes } from './write-outcomes.js';
import { WritePreparation } from './write-preparation.js';

/** Prepares a write, submits it to the command processor, and answers it. */
@Injectable()
export class WriteService {
  constructor(
    private readonly preparation: WritePreparation,
    private readonly processor: CommandProcessor,
    private readonly registry: ContextRegistry,
    private readonly outcomes: WriteOutcomes,
  ) {}

  /** An abort before the submission prevents the write; a later abort only ends the wait for the answer. */
  async write({ signal, ...request }: WriteRequest): Promise<WriteAnswer> {
    const write = await this.preparation.prepare(request);
    signal?.throwIfAborted();
    const answer = this.#write(write);
    return signal ? unlessAborted(answer, signal) : answer;
  }

  async #write(write: PreparedWrite): Promise<WriteAnswer> {
    const creates = write.commands.some(createsContext);
    const written = creates ? await this.#create(write) : await this.processor.submit(write);
    this.outcomes.note(write, written);
    if (creates) await this.registry.register(write.id);
    return this.outcomes.answer(write, written);
  }

  async #create(write: PreparedWrite): Promise<WriteResult> {
    const { id, repeat } = write;
    if (!repeat) return this.processor.submit(write);
    await this.registry.claim(id, repeat.key);
    try {
      return await this.processor.submit(write);
    } catch (error) {
      if (error instanceof DomainError) await this.registry.release(id, repeat.key);
      throw error;
    }
  }
}

async function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
