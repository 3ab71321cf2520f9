import { Injectable } from '@nestjs/common';

import { AgentStore } from '../agents/agent-store.js';
import { SettingsStore } from '../settings/settings-store.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** Fills in what a request leaves out: as its agent is registered, or else as the workspace or the server has it. */
@Injectable()
export class ViewDefaults {
  constructor(
    private readonly settings: SettingsStore,
    private readonly agents: AgentStore,
    private readonly focus: ViewFocus,
  ) {}

  async fill(request: ViewRequest): Promise<ViewParameters> {
    const { principal, focus } = request;
    const sections = inOrder(request.sections);
    const { workspace, agentId } = principal;
    const [settings, agents] = await Promise.all([
      this.settings.find(workspace),
      agentId === null ? [] : this.agents.find(workspace),
    ]);
    const agent = agents.find((registered) => registered.view.agentId === agentId);
    const nearestFirst = [request, agent?.view.view];
    return {
      maxTokens: nearest('maxTokens', nearestFirst) ?? settings.viewMaxTokens,
      tokenizer: nearest('tokenizer', nearestFirst) ?? settings.viewTokenizer,
      wholeOutputs: nearest('wholeOutputs', nearestFirst) ?? settings.viewWholeOutputs,
      overflow: request.overflow ?? 'refuse',
      sections,
      focus: focus ? await this.focus.settle(request, focus, sections) : null,
    };
  }
}

type Own = Partial<Pick<ViewParameters, 'maxTokens' | 'tokenizer' | 'wholeOutputs'>>;

function nearest<Name extends keyof Own>(
  name: Name,
  levels: readonly (Readonly<{ [Each in keyof Own]?: Own[Each] | undefined }> | undefined)[],
): Own[Name] | undefined {
  return levels.find((level) => level?.[name] !== undefined)?.[name];
}

function inOrder(sections: ViewRequest['sections']): ViewParameters['sections'] {
  return sections ? [...new Set(sections)].sort() : null;
}
