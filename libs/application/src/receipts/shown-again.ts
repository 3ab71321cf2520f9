import { Injectable } from '@nestjs/common';

import { type ReceiptFacts, type View } from '#context-views';
import { DomainError, UndecodableEventError } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { parseViewParameters } from '../views/view-parameters.js';
import { Views } from '../views/views.js';
import { type AskedAgain, DocumentsAgain, parseDocumentParameters } from './documents-again.js';
import { type TextMissing } from './receipt.messages.js';
import { Receipts, hashOfText } from './receipts.js';

/** Makes texts again that were shown before, from what their receipts say. */
@Injectable()
export class ShownAgain {
  constructor(
    private readonly receipts: Receipts,
    private readonly audiences: Audiences,
    private readonly documents: DocumentsAgain,
    private readonly views: Views,
  ) {}

  /**
   * The same bytes, whoever asks: nothing else is ever given. Undefined where they cannot be made any more: by another
   * version of what made them, or since something changed that has no versions, as what a document says of children.
   */
  async find(facts: ReceiptFacts, principal: Principal): Promise<string | undefined> {
    const text = this.receipts.recall(facts) ?? (await this.#again(facts, principal));
    return text !== undefined && hashOfText(text) === facts.hash ? text : undefined;
  }

  /** The view a receipt is of, with how it shows what; undefined where it is not the same any more. */
  async findView(facts: ReceiptFacts, principal: Principal): Promise<View | undefined> {
    if (facts.kind !== 'view') return undefined;
    const view = await this.#asThen(facts, principal, (asked) => this.#view(asked));
    return view && hashOfText(view.text) === facts.hash ? view : undefined;
  }

  /** Why a text cannot be found that nobody kept. */
  whyMissing(facts: ReceiptFacts): TextMissing {
    if (facts.kind === 'prompt' || !facts.parameters) return 'not-repeatable';
    if (!this.receipts.isOfThisRenderer(facts)) return 'other-renderer';
    const parse = facts.kind === 'view' ? parseViewParameters : parseDocumentParameters;
    return parse(facts.parameters) ? 'changed' : 'unknown-parameters';
  }

  async #again(facts: ReceiptFacts, principal: Principal): Promise<string | undefined> {
    return this.#asThen(facts, principal, async (asked) => {
      if (facts.kind === 'document') return this.documents.render(asked);
      return facts.kind === 'view' ? (await this.#view(asked))?.text : undefined;
    });
  }

  async #asThen<Made>(
    facts: ReceiptFacts,
    principal: Principal,
    make: (asked: AskedAgain) => Promise<Made | undefined>,
  ): Promise<Made | undefined> {
    if (!this.receipts.isOfThisRenderer(facts) || !facts.parameters) return undefined;
    try {
      const sight = await this.audiences.sightThen(facts);
      return sight && (await make({ facts, principal, gate: sight.gate }));
    } catch (error) {
      // What it was made of cannot be read so any more: neither a write that cites it nor who asks is refused for that.
      if (error instanceof DomainError || error instanceof UndecodableEventError) return undefined;
      throw error;
    }
  }

  async #view({ facts, gate, principal }: AskedAgain): Promise<View | undefined> {
    const parameters = parseViewParameters(facts.parameters);
    if (!parameters) return undefined;
    const { version } = facts;
    const { transformationVersions } = parameters;
    return this.views.renderAt(
      { id: facts, version, gate, principal, transformationVersions },
      parameters,
    );
  }
}
