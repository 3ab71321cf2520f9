import { Injectable } from '@nestjs/common';

import { type View, everything, renderView, tokenizerOf, viewKinds } from '#context-views';

import { ReachableContext, seenOf } from '../reading/reachable-context.js';
import { Receipts } from '../receipts/receipts.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewMemo } from './view-memo.js';
import { type ViewSite } from './view-site.js';
import { type Sources, ViewSources } from './view-sources.js';
import {
  BudgetTooSmallError,
  type RenderedView,
  type ViewParameters,
  type ViewRequest,
} from './view.messages.js';

/** Views of contexts: what agents put into their prompts. */
@Injectable()
export class Views {
  readonly #memo = new ViewMemo();

  constructor(
    private readonly contexts: ReachableContext,
    private readonly defaults: ViewDefaults,
    private readonly sources: ViewSources,
    private readonly receipts: Receipts,
  ) {}

  /** For who may read it. Throws {@link BudgetTooSmallError}, and what reads of documents throw. */
  async render(request: ViewRequest): Promise<RenderedView> {
    const parameters = await this.defaults.fill(request);
    const { snapshot, sources } = await this.#read(request, parameters);
    const view = this.#compose(sources, parameters);
    const receipt = this.receipts.issue(
      { ...snapshot, principal: request.principal },
      { kind: 'view', parameters, text: view.text },
    );
    const audience = snapshot.gate?.reader.audience ?? everything;
    return { ...seenOf(snapshot), ...view, audience, parameters, receipt };
  }

  /** The same bytes again; whoever asks must know that the principal may read the context through the gate. */
  async renderAt(site: ViewSite, parameters: ViewParameters): Promise<View> {
    const { id, version, gate } = site;
    const { state } = await this.contexts.gated.read({ id, version, gate }, { kinds: viewKinds });
    return this.#compose(
      await this.sources.find(site, [...state.values()], parameters),
      parameters,
    );
  }

  /** What is kept serves whoever sees everything, of the newest version, unless only a part is asked for. */
  async #read(request: ViewRequest, parameters: ViewParameters) {
    const isPart = parameters.sections !== null || parameters.focus !== null;
    const kept =
      isPart || request.asOf !== undefined ? undefined : await this.sources.findWhole(request);
    if (kept) return kept;
    const snapshot = await this.contexts.read(request, { kinds: viewKinds });
    const { head, gate, state } = snapshot;
    const { principal, asOf } = request;
    const site = { id: head, version: head.version, gate, principal, asOf };
    const sources = await this.sources.find(site, [...state.values()], parameters);
    return { snapshot, sources };
  }

  #compose([now, earlier]: Sources, parameters: ViewParameters): View {
    const { maxTokens, wholeOutputs: newest, overflow } = parameters;
    const budget = { maxTokens, newest, overflow, tokenizer: tokenizerOf(parameters.tokenizer) };
    const view = renderView(now, earlier, budget, this.#memo);
    if ('minimumTokens' in view) throw new BudgetTooSmallError(view.minimumTokens, maxTokens);
    return view;
  }
}
