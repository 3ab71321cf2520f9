import { Injectable } from '@nestjs/common';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { AgentStore } from '../agents/agent-store.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type Settings } from '../settings/settings.messages.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** What a workspace has said, and the agents that it has registered. */
export type WorkspaceFacts = Readonly<{
  settings: Settings;
  agents: readonly RegisteredAgent[];
}>;

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
    return {
      ...formFor(agentId, { settings, agents }, request),
      overflow: request.overflow ?? 'refuse',
      sections,
      focus: focus ? await this.focus.settle(request, focus, sections) : null,
    };
  }
}

/** The form of views that an agent is given; `wished` goes first. */
export function formFor(
  agentId: string | null,
  { settings, agents }: WorkspaceFacts,
  wished: Wishes = {},
): Pick<ViewParameters, keyof Own> {
  const agent = agents.find((registered) => registered.view.agentId === agentId);
  const nearestFirst = [wished, agent?.view.view];
  return {
    maxTokens: nearest('maxTokens', nearestFirst) ?? settings.viewMaxTokens,
    tokenizer: nearest('tokenizer', nearestFirst) ?? settings.viewTokenizer,
    wholeOutputs: nearest('wholeOutputs', nearestFirst) ?? settings.viewWholeOutputs,
  };
}

type Own = Partial<Pick<ViewParameters, 'maxTokens' | 'tokenizer' | 'wholeOutputs'>>;

type Wishes = Readonly<{ [Each in keyof Own]?: Own[Each] | undefined }>;

function nearest<Name extends keyof Own>(
  name: Name,
  levels: readonly (Wishes | undefined)[],
): Own[Name] | undefined {
  return levels.find((level) => level?.[name] !== undefined)?.[name];
}

function inOrder(sections: ViewRequest['sections']): ViewParameters['sections'] {
  return sections ? [...new Set(sections)].sort() : null;
}
