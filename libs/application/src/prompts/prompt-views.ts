import { Injectable } from '@nestjs/common';

import { type TokenizerName } from '#context-views';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { ViewDefaults } from '../views/view-defaults.js';
import { type ViewRequest } from '../views/view.messages.js';
import { Views } from '../views/views.js';
import { type PromptRequest } from './prompt.messages.js';

/** Renders the views of prompts with the view settings of their agents. */
@Injectable()
export class PromptViews {
  constructor(
    private readonly views: Views,
    private readonly defaults: ViewDefaults,
  ) {}

  /** Views at the version at which the rest of the prompt was read. */
  of(request: PromptRequest, agent: RegisteredAgent | undefined, version: number) {
    const { principal, contextId, audience, signal, tokenizer } = request;
    const own = agent?.view.view ?? {};
    const viewRequest: ViewRequest = {
      principal,
      contextId,
      audience,
      signal,
      ...own,
      tokenizer: tokenizer ?? own.tokenizer,
      asOf: String(version),
    };
    return {
      tokenizer: async (): Promise<TokenizerName> =>
        (await this.defaults.fill(viewRequest)).tokenizer,
      /** `maxTokens`: undefined for the default budget. */
      within: async (maxTokens: number | undefined): Promise<string> =>
        (
          await this.views.render(
            maxTokens === undefined ? viewRequest : { ...viewRequest, maxTokens },
          )
        ).text,
    };
  }
}
