import { type Named, type TemplateData } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { type AgentView } from '../agents/agents.messages.js';
import { ownNames } from './own-names.js';
import { type Checked } from './prompt.messages.js';

const inputName = 'input';
const viewName = 'view';

export type PromptFacts = Readonly<{
  input: JsonValue | undefined;
  agent: AgentView | undefined;
  /** All agents of the workspace. */
  registry: readonly RegisteredAgent[];
  /** What is named of the context. */
  names: TemplateData;
}>;

/** Whether a path begins with something of the context beside its view: also with its input if the request has none. */
export function isOfContext([root]: readonly string[], input: JsonValue | undefined): boolean {
  if (root === inputName) return input === undefined;
  return root === undefined || !ownNames.has(root);
}

/** What there is before anything is known to be missing. */
export function promptData({ input, agent, registry, names }: PromptFacts): TemplateData {
  const registered = Object.fromEntries(
    registry.map(({ view }) => [view.agentId, agentFacts(view)]),
  );
  const own = { agent: agent && agentFacts(agent), persona: agent?.persona, registry: registered };
  const sent = input === undefined ? names.get(inputName) : { value: input, isOwn: true };
  const nothing = Object.fromEntries(Array.from(ownNames, (name) => [name, undefined]));
  return new Map([
    ...names,
    ...asEntries({ ...nothing, ...own }, true),
    [inputName, sent ?? { value: undefined, isOwn: true }],
  ]);
}

/** With the checklist as templates go through it, and the text of the view where there is one. */
export function withChecklist(
  data: TemplateData,
  checklist: readonly Checked[],
  view: string | undefined,
): TemplateData {
  const paths = checklist.filter(({ required }) => required).map(({ path }) => path);
  const required = checklist.map((checked) => ({ ...checked }));
  return new Map([
    ...data,
    ...asEntries({ required, required_inputs: paths, requiredInputs: paths }, true),
    ...asEntries({ [viewName]: view }, false),
  ]);
}

function asEntries(
  values: Readonly<Record<string, JsonValue | undefined>>,
  isOwn: boolean,
): readonly (readonly [string, Named])[] {
  return Object.entries(values).map(([name, value]) => [name, { value, isOwn }]);
}

function agentFacts({ agentId, name, role, kind, persona, version }: AgentView) {
  return { agentId, name, role, kind, version, ...(persona !== undefined && { persona }) };
}
