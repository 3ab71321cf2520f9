import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { AgentStore } from '../agents/agent-store.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type Settings } from '../settings/settings.messages.js';
import { DATABASE } from '../tokens.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** The settings of a workspace, and its registered agents. */
type WorkspaceFacts = Readonly<{
  settings: Settings;
  agents: readonly RegisteredAgent[];
}>;

const factsRow = z.object({ settings: z.string().nullable(), agents: z.number() });

/** Completes a request with the settings of its agent, of the workspace, and of the server, in this order. */
@Injectable()
export class ViewDefaults {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly settings: SettingsStore,
    private readonly agents: AgentStore,
    private readonly focus: ViewFocus,
  ) {}

  async fill(request: ViewRequest): Promise<ViewParameters> {
    const { principal, focus } = request;
    const sections = inOrder(request.sections);
    const { workspace, agentId } = principal;
    const facts =
      agentId === null
        ? { settings: await this.settings.find(workspace), agents: [] }
        : await this.#facts(workspace);
    return {
      ...formFor(agentId, facts, request),
      overflow: request.overflow ?? 'refuse',
      sections,
      focus: focus ? await this.focus.complete(request, focus, sections) : null,
    };
  }

  /** Takes one statement, unless agents were registered since the last one. */
  async #facts(workspace: string): Promise<WorkspaceFacts> {
    const { rows } = await sql`
      select ${this.settings.newest(workspace)} as settings, ${this.agents.mark(workspace)} as agents`.execute(
      this.db,
    );
    const { settings, agents } = factsRow.parse(rows[0]);
    return {
      settings: this.settings.withDefaults(settings),
      agents: await this.agents.find(workspace, agents),
    };
  }
}

/** The view settings of an agent; requested values take precedence. */
export function formFor(
  agentId: string | null,
  { settings, agents }: WorkspaceFacts,
  requested: RequestedSettings = {},
): Pick<ViewParameters, keyof ViewSettings> {
  const agent = agents.find((registered) => registered.view.agentId === agentId);
  const nearestFirst = [requested, agent?.view.view];
  return {
    maxTokens: nearest('maxTokens', nearestFirst) ?? settings.viewMaxTokens,
    tokenizer: nearest('tokenizer', nearestFirst) ?? settings.viewTokenizer,
    wholeOutputs: nearest('wholeOutputs', nearestFirst) ?? settings.viewWholeOutputs,
  };
}

type ViewSettings = Partial<Pick<ViewParameters, 'maxTokens' | 'tokenizer' | 'wholeOutputs'>>;

type RequestedSettings = Readonly<{
  [Each in keyof ViewSettings]?: ViewSettings[Each] | undefined;
}>;

function nearest<Name extends keyof ViewSettings>(
  name: Name,
  levels: readonly (RequestedSettings | undefined)[],
): ViewSettings[Name] | undefined {
  return levels.find((level) => level?.[name] !== undefined)?.[name];
}

function inOrder(sections: ViewRequest['sections']): ViewParameters['sections'] {
  return sections ? [...new Set(sections)].sort() : null;
}
