import { Injectable } from '@nestjs/common';

import { type View, everything, renderView } from '#context-views';
import { type ContextId } from '#read-models';

import { ContextSummary } from '../context-summary/context-summary.js';
import { openedTokenizer } from '../context-summary/opened-tokenizer.js';
import { seenOf } from '../reading/reachable-context.js';
import { Receipts } from '../receipts/receipts.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewReader } from './view-reader.js';
import { type ViewSite } from './view-site.js';
import { type LoadedSources } from './view-sources.js';
import {
  BudgetTooSmallError,
  type RenderedView,
  type ViewParameters,
  type ViewRequest,
} from './view.messages.js';

/** Views of contexts: what agents put into their prompts. */
@Injectable()
export class Views {
  constructor(
    private readonly defaults: ViewDefaults,
    private readonly reader: ViewReader,
    private readonly summary: ContextSummary,
    private readonly receipts: Receipts,
  ) {}

  /** For who may read it. Throws {@link BudgetTooSmallError}, and what reads of documents throw. */
  async render(request: ViewRequest): Promise<RenderedView> {
    const parameters = await this.defaults.fill(request);
    const { snapshot, sources, isNew, transformationVersions } = await this.reader.read(
      request,
      parameters,
    );
    const marks = transformationVersions === undefined ? {} : { transformationVersions };
    const view = await this.#compose(snapshot.head, { sources, isNew }, parameters);
    const receipt = this.receipts.issue(
      { ...snapshot, principal: request.principal },
      {
        kind: 'view',
        parameters: { ...parameters, ...marks },
        text: view.text,
      },
    );
    const audience = snapshot.gate?.reader.audience ?? everything;
    return { ...seenOf(snapshot), ...view, audience, parameters, receipt };
  }

  /** The same bytes again; whoever asks must know that the principal may read the context through the gate. */
  async renderAt(site: ViewSite, parameters: ViewParameters): Promise<View> {
    const { sources } = await this.reader.readAt(site, parameters);
    return this.#compose(site.id, { sources, isNew: true }, parameters);
  }

  async #compose(
    id: ContextId,
    { sources: [now, earlier], isNew }: Pick<LoadedSources, 'sources' | 'isNew'>,
    parameters: ViewParameters,
  ): Promise<View> {
    const { maxTokens, wholeOutputs: newest, overflow } = parameters;
    const tokenizer = await openedTokenizer(parameters.tokenizer);
    const budget = { maxTokens, newest, overflow, tokenizer };
    if (isNew) await this.summary.learn(id, now.timeline, budget);
    const all = earlier ? [now, earlier] : [now];
    await this.summary.prepare(all, budget);
    await this.summary.count(id, all, budget);
    const view = renderView(now, earlier, budget);
    this.summary.keep(
      id,
      all.map(({ timeline }) => timeline),
    );
    if ('minimumTokens' in view) throw new BudgetTooSmallError(view.minimumTokens, maxTokens);
    return view;
  }
}
