/**
 * All kinds of commands: the resulting event and its prerequisites. `n` generates unused ids. `person` marks the
 * commands that the agent of the benchmark may not send.
 */
export const commandKinds = [
  kind('GlobalContextSet', (n) => ({ values: { standard: `level ${n}` } })),
  kind('PreferencesSet', (n) => ({ values: { tone: `tone ${n}` } })),
  kind('StepStarted', (n) => ({ stepId: `new-${n}` })),
  kind('StepOutputAdded', (n, { output }) => ({ stepId: `new-${n}`, output })),
  kind('StepFailed', (n) => ({ stepId: `new-${n}`, reason: 'the build is broken' }), [
    event('StepStarted', (n) => ({ stepId: `new-${n}` })),
  ]),
  kind('TaskPlanned', (n) => ({ taskId: `task-${n}`, title: 'Build it' })),
  ...['TaskStarted', 'TaskCompleted'].map((type) =>
    kind(type, (n) => ({ taskId: `task-${n}` }), [
      event('TaskPlanned', (n) => ({ taskId: `task-${n}`, title: 'Build it' })),
    ]),
  ),
  kind('TaskBlocked', (n) => ({ taskId: `task-${n}`, reason: 'no licence' }), [
    event('TaskPlanned', (n) => ({ taskId: `task-${n}`, title: 'Build it' })),
  ]),
  kind('DecisionRecorded', (n) => ({ topic: `topic-${n}`, decision: 'PostgreSQL' })),
  kind('DecisionRecorded, superseding', (n) => superseding(n), [
    event('DecisionRecorded', (n) => ({ ...decision(n), topic: `topic-${n}` })),
  ]),
  ...['DecisionApproved', 'DecisionRejected'].map((type) =>
    byPerson(
      kind(type, (n) => ({ decisionId: `d-${n}` }), [
        event('DecisionRecorded', (n) => ({ ...decision(n), requiresApproval: true })),
      ]),
    ),
  ),
  kind('ArtifactReferenced', (n) => ({
    artifactId: `artifact-${n}`,
    artifactType: 'source',
    path: `src/${n}.ts`,
  })),
  kind('HandoverNoted', (n) => handover(n)),
  byPerson(
    kind('HandoverAcknowledged', (n) => ({ handoverId: `h-${n}` }), [
      event('HandoverNoted', (n) => handover(n)),
    ]),
  ),
  kind('InputRequested', (n) => inputRequest(n)),
  kind('InputProvided', (n) => ({ inputRequestId: `i-${n}`, value: n }), [
    event('InputRequested', (n) => inputRequest(n)),
  ]),
  kind('PhaseStarted', (n) => ({ phase: `phase-${n}` })),
  kind('PhaseCompleted', (n) => ({ phase: `phase-${n}`, outputs: ['design.md'] }), [
    event('PhaseStarted', (n) => ({ phase: `phase-${n}` })),
  ]),
  kind('ReviewRecorded', (n) => review(n)),
  kind('ReviewRecorded, addressing', (n) => addressing(n), [
    event('ReviewRecorded', (n) => review(n)),
  ]),
  kind('IterationStarted', (n) => ({ subject: `subject-${n}` })),
  kind('RequirementRecorded', (n) => ({
    requirementId: `R-${n}`,
    kind: 'functional',
    text: 'sign in',
  })),
  kind('RiskRaised', (n) => risk(n)),
  kind('RiskUpdated', (n) => ({ riskId: `risk-${n}`, status: 'mitigated' }), [
    event('RiskRaised', (n) => risk(n)),
  ]),
  kind('DependencyDeclared', (n) => ({ name: `service-${n}`, kind: 'external' })),
  kind('BlockerRaised', (n) => ({ blockerId: `b-${n}`, description: 'no access' })),
  kind('BlockerCleared', (n) => ({ blockerId: `b-${n}` }), [
    event('BlockerRaised', (n) => ({ blockerId: `b-${n}`, description: 'no access' })),
  ]),
  kind('RecordAppended', (n, { output }) => ({
    ...{ recordId: `record-${n}`, kind: 'custom', title: 'Notes' },
    body: JSON.stringify(output),
  })),
  kind('SignalEmitted', (n) => ({ signal: 'IMPLEMENTATION COMPLETE', subject: `story-${n}` })),
  kind('QualityScored', (n) => ({ agent: 'architect', output: `o-${n}`, scores: { overall: 8 } }), [
    event('StepOutputAdded', (n, { output }) => ({ stepId: `q-${n}`, name: `o-${n}`, output })),
  ]),
];

function kind(name, data, before = []) {
  const [type] = name.split(',');
  return { name, before, asked: event(type, data), person: false };
}

function byPerson(kind) {
  return { ...kind, person: true };
}

function event(type, data) {
  return (n, payload) => ({ type, data: data(n, payload) });
}

function decision(n) {
  return { decisionId: `d-${n}`, decision: 'PostgreSQL', rationale: 'it is there' };
}

function superseding(n) {
  return { decisionId: `e-${n}`, topic: `topic-${n}`, decision: 'SQLite', supersedes: `d-${n}` };
}

function handover(n) {
  return { handoverId: `h-${n}`, to: 'developer', note: 'Begin with the schema.' };
}

function inputRequest(n) {
  return { inputRequestId: `i-${n}`, path: 'analyst.outputs.brief', from: 'analyst' };
}

function review(n) {
  const keyIssues = [{ issueId: `issue-${n}`, severity: 'high', text: 'no index' }];
  const status = 'REJECTED_WITH_FEEDBACK';
  return { reviewId: `r-${n}`, artifact: 'design.md', iteration: 1, status, keyIssues };
}

function addressing(n) {
  const outcome = { status: 'APPROVED', keyIssues: [], addresses: [`issue-${n}`] };
  return { reviewId: `s-${n}`, artifact: 'design.md', iteration: 2, ...outcome };
}

function risk(n) {
  return { riskId: `risk-${n}`, severity: 'medium', description: 'eventual consistency' };
}
