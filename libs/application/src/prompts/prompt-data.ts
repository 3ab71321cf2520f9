import { type Named, type TemplateData } from '#context-views';
import { type JsonValue } from '#event-sourcing';

import { type AgentView } from '../agents/agents.messages.js';
import { type Checked } from './prompt.messages.js';

/** What a caller says himself: an administrator has registered the agent. */
const ownNames: ReadonlySet<string> = new Set([
  ...['input', 'agent', 'persona'],
  ...['required', 'required_inputs', 'requiredInputs'],
]);
const viewName = 'view';

export type PromptFacts = Readonly<{
  input: JsonValue | undefined;
  agent: AgentView | undefined;
  /** What is named of the context. */
  names: TemplateData;
}>;

/** Whether what a path begins with is something of the context beside its view. */
export function isOfContext([root]: readonly string[]): boolean {
  return root === undefined || !(ownNames.has(root) || root === viewName);
}

/** What there is before anything is known to be missing. */
export function promptData({ input, agent, names }: PromptFacts): TemplateData {
  return new Map([
    ...names,
    ...asEntries({ input, agent: agent && agentFacts(agent), persona: agent?.persona }, true),
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
