import { type Named, type TemplateData } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { type AgentView } from '../agents/agents.messages.js';
import { type Checked } from './prompt.messages.js';

/** What a caller says himself; agents are registered by administrators. */
const ownNames: ReadonlySet<string> = new Set([
  ...['input', 'agent', 'persona', 'registry'],
  ...['required', 'required_inputs', 'requiredInputs'],
]);
const viewName = 'view';

export type PromptFacts = Readonly<{
  input: JsonValue | undefined;
  agent: AgentView | undefined;
  /** All agents of the workspace. */
  registry: readonly RegisteredAgent[];
  /** What is named of the context. */
  names: TemplateData;
}>;

/** Whether what a path begins with is something of the context beside its view. */
export function isOfContext([root]: readonly string[]): boolean {
  return root === undefined || !(ownNames.has(root) || root === viewName);
}

/** What there is before anything is known to be missing. */
export function promptData({ input, agent, registry, names }: PromptFacts): TemplateData {
  const registered = Object.fromEntries(
    registry.map(({ view }) => [view.agentId, agentFacts(view)]),
  );
  const own = { input, agent: agent && agentFacts(agent), persona: agent?.persona };
  return new Map([...names, ...asEntries({ ...own, registry: registered }, true)]);
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
