import { Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';
import { type ContextId, type ItemKey, namedKeys } from '#shared-context';
import { type VisibilityFilter, FilteredReader, isShown } from '#visibility';

import { seesEverything } from '../access/reach.js';
import { Audiences } from '../audiences/audiences.js';
import { readable } from '../reading/authorized-context-reader.js';
import { Citations } from './citations.js';
import { CreationReferences } from './creation-references.js';
import { type WriteRequest } from './write-context.command.js';

/** What the commands of a write name beyond themselves. */
@Injectable()
export class WriteReferences {
  constructor(
    private readonly created: CreationReferences,
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
    private readonly citations: Citations,
  ) {}

  /** What the write says it is based on; throws InvalidReceiptError if that is none of this server's receipts. */
  cited(request: WriteRequest): ReceiptFacts | undefined {
    return this.citations.open(request);
  }

  /** With what they take over; what stands in the way is refused in its turn. What they cite is kept. */
  async into(request: WriteRequest, cited: ReceiptFacts | undefined): Promise<WriteRequest> {
    if (cited) await this.citations.keep(cited, request);
    const seen = seesEverything(request.principal) ? request : await this.#withSight(request);
    return seen.commands[0]?.type === 'CreateContext' ? this.created.into(seen) : seen;
  }

  /** If it cannot be read, nothing is seen; that is refused in its turn, behind reach and repeated requests. */
  async #withSight(request: WriteRequest): Promise<WriteRequest> {
    const unseen = request.commands.flatMap((command) => namedKeys(command));
    try {
      return { ...request, unseen: await readable(() => this.#unseen(request, unseen)) };
    } catch (refusal) {
      return { ...request, unseen, refusal: request.refusal ?? refusal };
    }
  }

  /** Of these items, those that no audience of the writer shows. */
  async #unseen(
    { principal, contextId }: WriteRequest,
    keys: readonly ItemKey[],
  ): Promise<readonly ItemKey[]> {
    const id = { workspace: principal.workspace, contextId };
    let unseen = keys;
    for (const audience of principal.audiences) {
      if (unseen.length === 0) break;
      const access = await this.audiences.open(principal, audience);
      // An audience that nothing may be read for shows nothing.
      if (!('refusal' in access)) unseen = await this.#hidden(id, access.filter, unseen);
    }
    return unseen;
  }

  /** Of these items, those that are not there for whom the visibility filter lets see. */
  async #hidden(
    id: ContextId,
    filter: VisibilityFilter | undefined,
    keys: readonly ItemKey[],
  ): Promise<readonly ItemKey[]> {
    const { state } = await this.filteredReader.read({ id, filter }, { keys, bodies: false });
    return keys.filter(({ kind, key }) => {
      const item = state.get(kind, key);
      return !item || (filter && !isShown(filter, item));
    });
  }
}
