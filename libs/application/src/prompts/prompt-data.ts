import { type NamedValue, type TemplateData } from '#context-views';
import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { type AgentView } from '../agents/agents.messages.js';
import { ownNames } from './own-names.js';
import { type CheckedInput } from './prompt.messages.js';

export const inputName = 'input';
const viewName = 'view';

type PromptFacts = Readonly<{
  input: JsonValue | undefined;
  agent: AgentView | undefined;
  /** All agents of the workspace. */
  registry: readonly RegisteredAgent[];
  /** The names of the context. */
  names: TemplateData;
}>;

/**
 * Whether a path needs data of the context other than its view. That includes the input of the context, unless the
 * request has sent the value of the path itself.
 */
export function isOfContext(
  [root, member]: readonly string[],
  input: JsonValue | undefined,
): boolean {
  if (root !== inputName) return root === undefined || !ownNames.has(root);
  if (input === undefined) return true;
  return isJsonObject(input) && !(member !== undefined && Object.hasOwn(input, member));
}

/** The data of a template, before the checklist and the view. */
export function promptData({ input, agent, registry, names }: PromptFacts): TemplateData {
  const registered = Object.fromEntries(
    registry.map(({ view }) => [view.agentId, agentFacts(view)]),
  );
  const own = { agent: agent && agentFacts(agent), persona: agent?.persona, registry: registered };
  const nothing = Object.fromEntries(Array.from(ownNames, (name) => [name, undefined]));
  return new Map([
    ...names,
    ...asEntries({ ...nothing, ...own }, true),
    [inputName, inputNamed(input, names.get(inputName))],
  ]);
}

/** The input of the request. If it is an object, members that it lacks come from the input of the context. */
function inputNamed(sent: JsonValue | undefined, ofContext: NamedValue | undefined): NamedValue {
  if (sent === undefined) return ofContext ?? { value: undefined, isOwn: true };
  const stated = ofContext?.value;
  if (!isJsonObject(sent) || !isJsonObject(stated)) return { value: sent, isOwn: true };
  const others = Object.entries(stated).filter(([name]) => !Object.hasOwn(sent, name));
  const members = new Map(others.map(([name, value]) => [name, { value, isOwn: false }]));
  return { value: sent, isOwn: true, members };
}

/** Adds the checklist for templates, and the text of the view if there is one. */
export function withChecklist(
  data: TemplateData,
  checklist: readonly CheckedInput[],
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
): readonly (readonly [string, NamedValue])[] {
  return Object.entries(values).map(([name, value]) => [name, { value, isOwn }]);
}

function agentFacts({ agentId, name, role, kind, persona, version }: AgentView) {
  return { agentId, name, role, kind, version, ...(persona !== undefined && { persona }) };
}
