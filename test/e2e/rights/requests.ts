/** The request of a route; `$caller` in paths and bodies is an id of the caller. */
export type RouteRequest = Readonly<{
  /** Overrides values of parameters in {@link usualIds}. */
  ids?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  /** Sent as lines of JSON, instead of `body`. */
  lines?: string;
  ifMatch?: string;
}>;

/** The default targets of reads and writes: the writes change nothing that another request needs. */
export const usualIds: Readonly<Record<string, string>> = {
  code: 'forbidden',
  stepId: '$caller',
  decisionId: 'approved-$caller',
  taskId: 'start-$caller',
  phase: '$caller',
  subject: '$caller',
  riskId: '$caller',
  blockerId: '$caller',
  handoverId: '$caller',
  inputRequestId: '$caller',
  ref: 'requirement:q',
  audience: 'reviewer',
  agentId: 'ada',
  transformationId: 't',
  definitionId: 'w',
  version: '2',
  projection: 'none',
  jobId: 'none',
  deadLetterId: 'none',
};

const agent = { name: 'A', role: 'r', kind: 'llm' };
const noContexts = [
  { format: 'throughline.events-jsonl', version: 1 },
  { end: { contexts: 0, events: 0, lastHash: null } },
];

/** Requests that need more than their path. */
export const requests: Readonly<Record<string, RouteRequest>> = {
  'POST /v1/contexts': { body: { parent: 'epic', workflow: { definitionId: 'w', version: 1 } } },
  'PUT /v1/contexts/{contextId}': { ids: { contextId: 'put' }, body: {}, ifMatch: '"1"' },
  'POST /v1/contexts/{contextId}/close': { ids: { contextId: 'closed' } },
  'POST /v1/contexts/{contextId}/step-outputs': {
    body: { stepId: '$caller', output: 1, agentId: 'ada' },
  },
  'POST /v1/contexts/{contextId}/steps/{stepId}/fail': { body: { reason: 'r' } },
  'POST /v1/contexts/{contextId}/decisions': { body: { decision: 'd' } },
  'POST /v1/contexts/{contextId}/decisions/{decisionId}/reject': {
    ids: { decisionId: 'rejected-$caller' },
  },
  'GET /v1/contexts/{contextId}/decisions/{decisionId}/knowledge': { ids: { decisionId: 'd' } },
  'POST /v1/contexts/{contextId}/artifacts': {
    body: { artifactId: '$caller', artifactType: 't', path: 'p' },
  },
  'PATCH /v1/contexts/{contextId}/preferences': { body: { a: 1 } },
  'PATCH /v1/contexts/{contextId}/global-context': { body: { a: 1 } },
  'POST /v1/contexts/{contextId}/events': {
    body: { events: [{ type: 'HandoverNoted', data: { from: 'ada', to: 'eve', note: 'n' } }] },
  },
  'POST /v1/contexts/{contextId}/tasks': { body: { title: 't' } },
  'POST /v1/contexts/{contextId}/tasks/{taskId}/block': {
    ids: { taskId: 'block-$caller' },
    body: { reason: 'r' },
  },
  'POST /v1/contexts/{contextId}/tasks/{taskId}/complete': { ids: { taskId: 'complete-$caller' } },
  'POST /v1/contexts/{contextId}/iterations': { body: { subject: 'begun-$caller' } },
  'POST /v1/contexts/{contextId}/requirements': { body: { kind: 'functional', text: 't' } },
  'POST /v1/contexts/{contextId}/risks': { body: { severity: 'low', description: 'd' } },
  'POST /v1/contexts/{contextId}/risks/{riskId}': { body: { status: 'closed' } },
  'POST /v1/contexts/{contextId}/dependencies': { body: { name: '$caller', kind: 'external' } },
  'POST /v1/contexts/{contextId}/blockers': { body: { description: 'd' } },
  'POST /v1/contexts/{contextId}/reviews': {
    body: { artifact: 'a', status: 'APPROVED', reviewer: 'ada' },
  },
  'POST /v1/contexts/{contextId}/records': { body: { kind: 'custom', title: 't', body: 'b' } },
  'POST /v1/contexts/{contextId}/handovers': { body: { from: 'ada', to: 'eve', note: 'n' } },
  'POST /v1/contexts/{contextId}/input-requests': { body: { path: 'p', from: 'ada' } },
  'POST /v1/contexts/{contextId}/input-requests/{inputRequestId}/provide': { body: { value: 1 } },
  'POST /v1/contexts/{contextId}/signals': { body: { text: 'KICKOFF COMPLETE: s-1' } },
  'POST /v1/contexts/{contextId}/agents/{agentId}/check': { ids: { agentId: 'eve' } },
  'POST /v1/contexts/{contextId}/prompt': {
    ids: { contextId: 'read' },
    body: { template: 'x', tokenizer: 'chars4' },
  },
  'POST /v1/contexts/{contextId}/checkpoints': { body: { name: '$caller' } },
  'POST /v1/contexts/{contextId}/restore': { ids: { contextId: 'restored' }, body: { version: 1 } },
  'POST /v1/contexts/{contextId}/forks': { ids: { contextId: 'read' }, body: { atVersion: 1 } },
  // Loading the vocabulary of another tokenizer would take longer than the rest of the suite.
  'GET /v1/contexts/{contextId}/view': { query: '?tokenizer=chars4' },
  'GET /v1/contexts/{contextId}/diff': { query: '?from=1' },
  'GET /v1/contexts/{contextId}/changes': { query: '?since=1' },
  'GET /v1/contexts/{contextId}/export': { query: '?format=events-jsonl' },
  'POST /v1/imports': {
    query: '?format=events-jsonl',
    lines: noContexts.map((line) => JSON.stringify(line)).join('\n'),
  },
  'GET /v1/stream': { query: '?after=head' },
  'GET /v1/feed': { query: '?after=start&limit=1' },
  'POST /v1/agents': { body: { ...agent, agentId: 'new-$caller' } },
  'GET /v1/agents/{agentId}': { ids: { agentId: 'eve' } },
  'PUT /v1/agents/{agentId}': { ids: { agentId: 'spare' }, body: agent },
  'PUT /v1/transformations/{transformationId}': {
    ids: { transformationId: 'spare' },
    body: transformationTo('spare'),
  },
  'POST /v1/contexts/{contextId}/run': {
    ids: { contextId: 'run-$caller' },
    body: { definitionId: 'w' },
  },
  'GET /v1/contexts/{contextId}/run': { ids: { contextId: 'running' } },
  'POST /v1/contexts/{contextId}/run/pause': { ids: { contextId: 'paused' } },
  'POST /v1/contexts/{contextId}/run/resume': { ids: { contextId: 'running' } },
  'POST /v1/contexts/{contextId}/run/cancel': { ids: { contextId: 'cancelled' } },
  'POST /v1/work/claim': { body: { agents: ['ada'] } },
  'POST /v1/work/complete': { body: { attemptToken: '$attemptToken', output: 1 } },
  'POST /v1/work/heartbeat': { body: { attemptToken: '$attemptToken' } },
  'POST /v1/approvals/{approvalId}/answer': { body: { action: 'retry' } },
  'POST /v1/work/fail': { body: { attemptToken: '$attemptToken', reason: 'r' } },
  'POST /v1/workflows': { body: workflowOf('one') },
  'POST /v1/workflows/validate': { body: workflowOf('one') },
  'PUT /v1/policies/{audience}': { ids: { audience: 'spare' }, body: { show: [{ types: ['*'] }] } },
  'PATCH /v1/settings': { body: {} },
  'POST /v1/keys': { body: { role: 'agent' } },
  'POST /v1/projections/{projection}/rebuild': { body: {} },
};

/** A definition whose run asks a person after its agent has ended. */
export const approvalWorkflow = {
  id: 'q',
  steps: [
    { id: 's', type: 'agent', agent: 'ada', next: 'p' },
    { id: 'p', type: 'approval', next: 'e' },
    { id: 'e', type: 'agent', agent: 'eve' },
  ],
};

/** A definition of the workflow in the limits of keys. */
export function workflowOf(description: string) {
  return { id: 'w', description, steps: [{ id: 's', type: 'agent', agent: 'ada' }] };
}

/** The transformation that fixtures store and requests replace. */
export function transformationTo(name: string) {
  return {
    trigger: { agent: 'ada' },
    sources: { a: 'ada.outputs.a' },
    operation: { kind: 'propagate' },
    destinations: [`project_metadata.${name}`],
  };
}
