import { type JsonValue } from '#event-sourcing';

import { itemRef } from '../documents/item-ref.js';
import { EntryOrder } from '../json/entry-order.js';
import { type JsonDraft } from '../json/json-draft.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { type AgentRules } from './agent-rules.js';
import { readOutput } from './read-output.js';

type AgentReading = Readonly<{
  draft: JsonDraft;
  rules: AgentRules;
  /** Members without an event, by agent. */
  history: Map<string, JsonValue>;
}>;

const statuses = ['pending', 'in_progress', 'completed', 'failed'] as const;

/** Reads the outputs and the status of each agent; agents are in the order of the document. */
export function readAgents(reading: AgentReading, agents: JsonPart | undefined): void {
  const order = new EntryOrder();
  for (const [name, part] of agents?.members() ?? []) {
    const agentId = reading.draft.agentNamed(part, name);
    if (agentId !== undefined) readAgent(reading, part, { agentId, order });
  }
}

type NamedAgent = Readonly<{ agentId: string; order: EntryOrder }>;

function readAgent(reading: AgentReading, part: JsonPart, { agentId, order }: NamedAgent): void {
  const { draft } = reading;
  const entry = new JsonEntry(draft, part);
  const status = entry.oneOf('status', statuses) ?? 'completed';
  const [start, end] = [entry.time('execution_start'), entry.time('execution_end')];
  const work = { agentId, order, start, end: end ?? start };
  readInputs(reading, agentId, entry.member('inputs'));
  readOutputs(draft, entry, { ...work, isPending: status === 'pending' });
  if (status === 'in_progress' || status === 'failed') planStart(draft, entry, work);
  if (status === 'failed') planFailure(draft, entry, work);
  const history = ['validation_results', 'retries'].flatMap((name) => {
    const member = entry.member(name);
    return member ? [[name, member.value()] as const] : [];
  });
  if (history.length > 0) reading.history.set(agentId, Object.fromEntries(history));
  entry.finish();
}

function readOutputs(draft: JsonDraft, entry: JsonEntry, work: Work & { isPending: boolean }) {
  const outputs = entry.member('outputs');
  if (outputs && work.isPending)
    draft.note(outputs, 'text', 'outputs of an agent that has not started are a form to fill in');
  else
    for (const [name, output] of outputs?.members() ?? [])
      readOutput(draft, output, { ...work, name });
}

type Work = Readonly<{
  agentId: string;
  order: EntryOrder;
  start: string | undefined;
  end: string | undefined;
}>;

/** The whole work of an agent is a step with its name. Finished work is represented by its outputs. */
function planStart(draft: JsonDraft, { part }: JsonEntry, { agentId, order, start }: Work): void {
  draft.plan(part, {
    item: itemRef('step', agentId),
    type: 'StepStarted',
    data: { stepId: agentId },
    origin: { agentId, timestamp: start },
    order: order.next(start),
  });
}

function planFailure(draft: JsonDraft, entry: JsonEntry, { agentId, order, end }: Work): void {
  const reason = entry.text('failure_reason', 'error', 'reason') ?? 'status: failed';
  draft.plan(entry.part, {
    item: itemRef('step', agentId),
    type: 'StepFailed',
    data: { stepId: agentId, reason },
    origin: { agentId, timestamp: end },
    order: order.next(end),
  });
}

function readInputs({ draft, rules }: AgentReading, agentId: string, part: JsonPart | undefined) {
  if (!part) return;
  const entry = new JsonEntry(draft, part);
  const { place } = part;
  rules.addPaths(agentId, entry.texts('required') ?? [], { required: true, place });
  rules.addPaths(agentId, entry.texts('optional') ?? [], { required: false, place });
  entry.finish();
}
