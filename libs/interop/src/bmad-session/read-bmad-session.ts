import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type DocumentReading,
  type NamedText,
  type ReadingOptions,
} from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { itemRef } from '../documents/item-ref.js';
import { creationOf, readId } from '../json/read-id.js';
import { stages } from '../json/entry-order.js';
import { JsonDraft } from '../json/json-draft.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { readDecisions } from '../json/read-decisions.js';
import { readObject } from '../json/read-object.js';
import { titleOf } from '../json/title-of.js';
import { AgentRules } from './agent-rules.js';
import { isSession } from './is-session.js';
import { readAgents } from './read-agents.js';
import { readGlobal } from './read-global.js';
import { readRules } from './read-rules.js';

const sessionMembers: readonly string[] = [
  'session_id',
  'project_metadata',
  'workflow_state',
  'agent_contexts',
  'global_context',
];

/** Reads a session with the YAML documents of its validation rules and transformations. */
export function readBmadSession(
  documents: readonly NamedText[],
  options: ReadingOptions,
): DocumentReading {
  const sessions = documents.filter(isSession);
  const [session] = sessions;
  if (!session) throw withoutSession(documents);
  const { source, root } = readObject(sessions, options);
  const names = new Set(root.members().map(([name]) => name));
  if (!sessionMembers.some((name) => names.has(name)))
    throw new DocumentError(
      root.place,
      `this is not a session, which has one of ${sessionMembers.join(', ')}: choose another format`,
    );
  const draft = new JsonDraft(source);
  const rules = new AgentRules();
  const entry = new JsonEntry(draft, root);
  const created = readCreation(draft, entry);
  readParts(draft, entry, rules);
  const others = documents.filter((document) => !isSession(document));
  const registered = readRules(others, rules);
  return {
    ...created,
    events: draft.events(),
    documents: documents.map(({ name, text }) =>
      name === session.name ? draft.document() : { name, pieces: [{ text, items: [] }] },
    ),
    notes: [...draft.notes, ...registered.notes],
    registrations: registered.registrations,
  };
}

function readParts(draft: JsonDraft, entry: JsonEntry, rules: AgentRules): void {
  const agents = new Map<string, JsonValue>();
  readAgents({ draft, rules, history: agents }, entry.member('agent_contexts'));
  const validation = entry.member('validation_history');
  if (validation && !validation.isArray) draft.note(validation, 'text', 'expected a list');
  const log = entry.member('decision_log');
  if (log && !log.isArray) draft.note(log, 'text', 'expected a list of decisions');
  readDecisions(draft, 'decision_log', log?.elements() ?? []);
  planHistory(draft, entry, agents);
  readGlobal(draft, entry);
}

/** Validations and retries of agents before the import. */
function planHistory(
  draft: JsonDraft,
  entry: JsonEntry,
  agents: ReadonlyMap<string, JsonValue>,
): void {
  const validation = entry.member('validation_history');
  const history = {
    ...(agents.size > 0 ? { agent_contexts: Object.fromEntries(agents) } : {}),
    ...(isFilled(validation) ? { validation_history: validation.value() } : {}),
  };
  if (Object.keys(history).length === 0) return;
  const item = itemRef('baseline', '');
  const data = { counters: {}, history };
  const [part, order] = [validation ?? entry.part, [stages.current, 0] as const];
  if (draft.plan(part, { item, type: 'BaselineImported', data, order }) && validation)
    draft.claim(validation, [item]);
}

function isFilled(list: JsonPart | undefined): list is JsonPart {
  return list !== undefined && list.elements().length > 0;
}

function readCreation(draft: JsonDraft, entry: JsonEntry) {
  const { contextId, stated } = readId(draft, entry.member('session_id'), 'session_id');
  const project = entry.member('project_metadata');
  if (project) draft.claim(project, [itemRef('creation', '')]);
  if (project && !project.isObject) draft.note(project, 'text', 'expected an object');
  const members = project?.members().map(([name, part]) => [name, part.value()] as const) ?? [];
  const metadata: JsonObject = { ...Object.fromEntries(members), ...stated };
  return { contextId, creation: creationOf(titleOf(draft, project?.member('name')), metadata) };
}

function withoutSession([document]: readonly NamedText[]): Error {
  if (!document) return new Error('no document to read');
  return new DocumentError(
    { document: document.name, line: 1, pointer: '' },
    'found no session in JSON: import the session together with its rules in YAML',
  );
}
