import { type CommandBus } from '@nestjs/cqrs';

import { type Principal, type WriteAnswer, WriteContextCommand } from '#application';
import {
  type ClientEvent,
  type ClientEventType,
  type ClientPayload,
  type ContextCommand,
} from '#shared-context';

import { type WriteOptions } from './shared-context.options.js';
import { commandOf } from './in-process-input.js';

/** Sends writes of one principal to the application, without HTTP. */
export class InProcessWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly principal: Principal,
  ) {}

  async event<Type extends ClientEventType>(
    contextId: string,
    type: Type,
    data: ClientPayload<Type>,
    options: WriteOptions,
  ): Promise<WriteAnswer> {
    // The cast is safe: the signature pairs type and payload, which the union type cannot express for a generic type.
    const event = { type, data, visibility: options.visibility } as ClientEvent;
    return this.write(contextId, [commandOf(event)], options, event);
  }

  /** `body` is compared if a request is repeated with the same idempotency key. */
  write(
    contextId: string,
    commands: readonly ContextCommand[],
    { ifMatch, ...options }: WriteOptions,
    body: unknown,
  ): Promise<WriteAnswer> {
    const request = { ...this.request(contextId, options, body), commands, ifMatch };
    return this.commands.execute(new WriteContextCommand(request));
  }

  /** The common parts of every write request. */
  request(
    contextId: string,
    { idempotencyKey, signal, visibility: _, ...origin }: Omit<WriteOptions, 'ifMatch'>,
    body: unknown,
  ) {
    const repeat = { method: 'CALL', path: contextId, body: JSON.stringify(body) };
    return {
      principal: this.principal,
      contextId,
      origin,
      idempotency: idempotencyKey === undefined ? undefined : { key: idempotencyKey, ...repeat },
      signal,
    };
  }
}
