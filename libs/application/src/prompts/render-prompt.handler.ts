import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type TemplateData } from '#context-views';
import { sha256 } from '#read-models';
import { everything } from '#visibility';

import { readingAs } from '../access/claimed-agents.js';
import { type RegisteredAgent } from '../agents/agent-rows.js';
import { AgentStore } from '../agents/agent-store.js';
import { openedTokenizer } from '../token-counting/opened-tokenizer.js';
import { InvalidInputError } from '../errors.js';
import { responseMetadata } from '../reading/authorized-context-reader.js';
import { Receipts } from '../receipts/receipts.js';
import { type Prompt, promptWithin } from './budgeted-prompt.js';
import { isOfContext, promptData, withChecklist } from './prompt-data.js';
import { PromptSources } from './prompt-sources.js';
import { PromptTemplate } from './prompt-template.js';
import { PromptViews } from './prompt-views.js';
import {
  type CheckedInput,
  type PromptRequest,
  RenderPromptQuery,
  type RenderedPrompt,
} from './prompt.messages.js';
import { checkInputs, requestedInputs } from './required-inputs.js';

/** A template, and the data with which it is rendered. */
type PromptRendering = Readonly<{
  template: PromptTemplate;
  agent: RegisteredAgent | undefined;
  data: TemplateData;
  checklist: readonly CheckedInput[];
  version: number;
}>;

@QueryHandler(RenderPromptQuery)
export class RenderPromptHandler implements IQueryHandler<RenderPromptQuery> {
  constructor(
    private readonly sources: PromptSources,
    private readonly agents: AgentStore,
    private readonly views: PromptViews,
    private readonly receipts: Receipts,
  ) {}

  execute({ request }: RenderPromptQuery): Promise<RenderedPrompt> {
    const principal = readingAs(request.principal, request.agent);
    return this.#prompt({ ...request, principal });
  }

  async #prompt(request: PromptRequest): Promise<RenderedPrompt> {
    await this.sources.requireReach(request);
    const registry = await this.agents.find(request.principal.workspace);
    const agent = agentIn(registry, request.agent);
    const template = new PromptTemplate({ template: request.template, agent });
    const inputs = requestedInputs(agent?.contract, request.requiredInputs ?? []);
    const named = [...template.named, ...inputs.flatMap((one) => (one.by ? [] : [one.names]))];
    const needs = {
      contract: agent?.contract,
      named: named.filter((path) => isOfContext(path, request.input)),
      registered: registry.map(({ view }) => view.agentId),
      required: inputs.map(({ path }) => path),
    };
    const { snapshot, names, places } = await this.sources.read(request, needs);
    const data = promptData({ input: request.input, agent: agent?.view, registry, names });
    const mayLack = request.strict === false;
    const current = snapshot.state.lookup;
    const checklist = checkInputs(inputs, { data, places, current, mayLack });
    const { version } = snapshot.head;
    const prompt = await this.#render(request, { template, agent, data, checklist, version });
    return {
      ...responseMetadata(snapshot),
      ...prompt,
      checklist,
      audience: snapshot.filter?.reader.audience ?? everything,
      agent: agent ? { agentId: agent.view.agentId, version: agent.view.version } : null,
      receipt: this.receipts.issue(
        { principal: request.principal, ...snapshot },
        {
          kind: 'prompt',
          text: prompt.text,
          parameters: receiptParameters(request, template, agent),
        },
      ),
    };
  }

  async #render(
    request: PromptRequest,
    { template, agent, data, checklist, version }: PromptRendering,
  ): Promise<Prompt & Pick<RenderedPrompt, 'tokenizer' | 'missing'>> {
    const reader = this.views.of(request, agent, version);
    const name = await reader.tokenizer();
    const tokenizer = await openedTokenizer(name);
    let missing: readonly string[] = [];
    const prompt = await promptWithin({
      tokenizer,
      maxTokens: request.maxTokens,
      signal: request.signal,
      timesViewed: template.timesNamed('view'),
      textWith: (view) => {
        const rendered = template.render(withChecklist(data, checklist, view));
        // The last rendered text is the prompt.
        ({ missing } = rendered);
        return rendered.text;
      },
      viewWithin: (maxTokens) => reader.within(maxTokens),
    });
    if (request.strict) template.requireAll(missing);
    return { ...prompt, missing, tokenizer: name };
  }
}

function receiptParameters(
  { input }: PromptRequest,
  template: PromptTemplate,
  agent: RegisteredAgent | undefined,
) {
  return {
    agent: agent?.view.agentId ?? null,
    agentVersion: agent?.view.version ?? null,
    template: template.hash,
    input: input === undefined ? null : hashOf(JSON.stringify(input)),
  };
}

function hashOf(text: string): string {
  return sha256(text);
}

function agentIn(
  registry: readonly RegisteredAgent[],
  agentId: string | undefined,
): RegisteredAgent | undefined {
  if (agentId === undefined) return undefined;
  const found = registry.find(({ view }) => view.agentId === agentId);
  if (found) return found;
  const detail = `there is no agent "${agentId}" in this workspace: PUT /v1/agents/${encodeURIComponent(agentId)} registers it`;
  throw new InvalidInputError([{ pointer: '/agent', detail }]);
}
