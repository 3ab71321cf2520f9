import { Injectable } from '@nestjs/common';

import { type ReceiptFacts, type View } from '#context-views';
import { DomainError, UndecodableEventError } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { Receipts, hashOfText } from '../receipts/receipts.js';
import { parseViewParameters } from '../views/view-parameters.js';
import { Views } from '../views/views.js';
import {
  type ReproductionRequest,
  DocumentReproducer,
  parseDocumentParameters,
} from './document-reproducer.js';
import { type TextMissing } from './receipt.messages.js';

/** Renders the text of an earlier answer again, from the parameters in its receipt. */
@Injectable()
export class TextReproducer {
  constructor(
    private readonly receipts: Receipts,
    private readonly audiences: Audiences,
    private readonly documents: DocumentReproducer,
    private readonly views: Views,
  ) {}

  /**
   * Returns exactly the original text: a text with another hash is never returned. Undefined if it cannot be rendered
   * any more, because the renderer has another version, or because data without versions has changed, such as the list
   * of children.
   */
  async find(facts: ReceiptFacts, principal: Principal): Promise<string | undefined> {
    const text = this.receipts.recall(facts) ?? (await this.#render(facts, principal));
    return text !== undefined && hashOfText(text) === facts.hash ? text : undefined;
  }

  /** The view of a receipt, with the form of each of its items; undefined if its text would now differ. */
  async findView(facts: ReceiptFacts, principal: Principal): Promise<View | undefined> {
    if (facts.kind !== 'view') return undefined;
    const view = await this.#reproduce(facts, principal, (request) => this.#view(request));
    return view && hashOfText(view.text) === facts.hash ? view : undefined;
  }

  /** Why a text that was not stored cannot be rendered again. */
  whyMissing(facts: ReceiptFacts): TextMissing {
    if (facts.kind === 'prompt' || !facts.parameters) return 'not-repeatable';
    if (!this.receipts.isOfThisRenderer(facts)) return 'other-renderer';
    const parse = facts.kind === 'view' ? parseViewParameters : parseDocumentParameters;
    return parse(facts.parameters) ? 'changed' : 'unknown-parameters';
  }

  async #render(facts: ReceiptFacts, principal: Principal): Promise<string | undefined> {
    return this.#reproduce(facts, principal, async (request) => {
      if (facts.kind === 'document') return this.documents.render(request);
      return facts.kind === 'view' ? (await this.#view(request))?.text : undefined;
    });
  }

  async #reproduce<Result>(
    facts: ReceiptFacts,
    principal: Principal,
    make: (request: ReproductionRequest) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    if (!this.receipts.isOfThisRenderer(facts) || !facts.parameters) return undefined;
    try {
      const access = await this.audiences.accessAtRead(facts);
      return access && (await make({ facts, principal, filter: access.filter }));
    } catch (error) {
      // The sources of the text can no longer be read. This must not fail a read of the receipt or a write that cites
      // it.
      if (error instanceof DomainError || error instanceof UndecodableEventError) return undefined;
      throw error;
    }
  }

  async #view({ facts, filter, principal }: ReproductionRequest): Promise<View | undefined> {
    const parameters = parseViewParameters(facts.parameters);
    if (!parameters) return undefined;
    const { version } = facts;
    const { transformationVersions } = parameters;
    return this.views.renderAt(
      { id: facts, version, filter, principal, transformationVersions },
      parameters,
    );
  }
}
