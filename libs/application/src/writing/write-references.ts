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

/** Resolves what a write refers to: the cited receipt, hidden items, and other contexts. */
@Injectable()
export class WriteReferences {
  constructor(
    private readonly created: CreationReferences,
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
    private readonly citations: Citations,
  ) {}

  /** The receipt that the write cites. Throws InvalidReceiptError if this server did not issue it. */
  cited(request: WriteRequest): ReceiptFacts | undefined {
    return this.citations.open(request);
  }

  /**
   * Adds resolved references to the request, and stores the cited text. Throws InvalidReceiptError if the cited context
   * is out of reach; other errors are added to the request as `refusal`.
   */
  async resolve(request: WriteRequest, cited: ReceiptFacts | undefined): Promise<WriteRequest> {
    if (cited) await this.citations.storeText(cited, request);
    const resolved = seesEverything(request.principal) ? request : await this.#withHidden(request);
    return resolved.commands[0]?.type === 'CreateContext'
      ? this.created.resolve(resolved)
      : resolved;
  }

  /**
   * If the visible items cannot be read, all named items count as hidden; the error is reported after the checks of
   * access and repeated requests.
   */
  async #withHidden(request: WriteRequest): Promise<WriteRequest> {
    const hidden = request.commands.flatMap((command) => namedKeys(command));
    try {
      return { ...request, hidden: await readable(() => this.#hiddenKeys(request, hidden)) };
    } catch (refusal) {
      return { ...request, hidden, refusal: request.refusal ?? refusal };
    }
  }

  /** The items that no audience of the writer sees. */
  async #hiddenKeys(
    { principal, contextId }: WriteRequest,
    keys: readonly ItemKey[],
  ): Promise<readonly ItemKey[]> {
    const id = { workspace: principal.workspace, contextId };
    let hidden = keys;
    for (const audience of principal.audiences) {
      if (hidden.length === 0) break;
      const access = await this.audiences.open(principal, audience);
      // An audience that the writer may not read for shows nothing.
      if (!('refusal' in access)) hidden = await this.#withoutVisible(id, access.filter, hidden);
    }
    return hidden;
  }

  /** The items that the visibility filter hides. */
  async #withoutVisible(
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
