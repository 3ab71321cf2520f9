import { Inject, Injectable } from '@nestjs/common';

import { ContextReader } from '#read-models';
import {
  type CarriedHandover,
  type CreateContext,
  RuleViolationError,
  openHandovers,
} from '#shared-context';

import { reaches } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { readable } from '../reading/authorized-context-reader.js';
import { type WriteRequest } from './write-context.command.js';

/**
 * Copies the open handovers of a context into the new context that continues it. They keep the fields that policies
 * check, so an audience that does not see a handover in the first context does not see it in the second.
 */
@Injectable()
export class CarriedHandovers {
  constructor(@Inject(ContextReader) private readonly reader: ContextReader) {}

  /**
   * Returns a refusal in the request instead of throwing it, so that a repeated request still gets its first answer.
   */
  async resolve(request: WriteRequest): Promise<WriteRequest> {
    const { principal, commands } = request;
    const [create] = commands;
    if (create?.type !== 'CreateContext' || create.data.continues === undefined) return request;
    try {
      return { ...request, commands: [await this.#withHandovers(create, principal)] };
    } catch (refusal) {
      return { ...request, refusal: request.refusal ?? refusal };
    }
  }

  async #withHandovers(create: CreateContext, principal: Principal): Promise<CreateContext> {
    const { continues } = create.data;
    if (continues === undefined) return create;
    const carried = await readable(() => this.#open(continues, principal));
    if (carried) return { ...create, carried };
    throw new RuleViolationError(
      '/continues',
      'names no context that this key reaches: create it first, or leave it out',
    );
  }

  async #open(contextId: string, principal: Principal): Promise<CarriedHandover[] | undefined> {
    const id = { workspace: principal.workspace, contextId };
    const { head, state } = await this.reader.read(id, { kinds: ['handover'] });
    return head && reaches(principal, head) ? openHandovers(contextId, state.values()) : undefined;
  }
}
