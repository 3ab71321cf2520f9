import { Inject, Injectable } from '@nestjs/common';

import { ContextReader } from '#read-models';
import { RuleViolationError } from '#shared-context';

import { reaches } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { readable } from '../reading/authorized-context-reader.js';
import { type WriteRequest } from './write-context.command.js';

/** Checks that the parent of a new context is another context that exists and that the creator's key reaches. */
@Injectable()
export class NamedParent {
  constructor(@Inject(ContextReader) private readonly reader: ContextReader) {}

  /**
   * Returns a refusal in the request instead of throwing it, so that a repeated request still gets its first answer.
   */
  async resolve(request: WriteRequest): Promise<WriteRequest> {
    const { principal, contextId, commands } = request;
    const [create] = commands;
    if (create?.type !== 'CreateContext' || create.data.parent === undefined) return request;
    try {
      await this.#require(create.data.parent, { principal, contextId });
      return request;
    } catch (refusal) {
      return { ...request, refusal: request.refusal ?? refusal };
    }
  }

  async #require(
    parent: string,
    { principal, contextId }: Readonly<{ principal: Principal; contextId: string }>,
  ): Promise<void> {
    if (parent === contextId)
      throw new RuleViolationError(
        '/parent',
        'is the context itself: name another one, or leave it out',
      );
    const id = { workspace: principal.workspace, contextId: parent };
    const { head } = await readable(() => this.reader.read(id, { keys: [], bodies: false }));
    // Do not reveal whether a context exists to a key that cannot reach it.
    if (!head || !reaches(principal, head))
      throw new RuleViolationError(
        '/parent',
        'names no context that this key reaches: create it first, or leave it out',
      );
  }
}
