import { did, recordContextEvent, specify } from '#testing';

import { type ContextCommand } from '../context.command.js';
import { contextDecider } from '../context.decider.js';
import { ContextClosedError, ContextExistsError, ContextNotFoundError } from './life.errors.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const closed = did('ContextClosed', {});

const others: ContextCommand[] = [
  { type: 'SetGlobalContext', data: { values: { a: 1 } } },
  { type: 'SetPreferences', data: { values: { a: 1 } } },
  { type: 'StartStep', data: { stepId: 's' } },
  { type: 'AddStepOutput', data: { stepId: 's', output: null } },
  { type: 'FailStep', data: { stepId: 's', reason: 'r' } },
  { type: 'PlanTask', data: { taskId: 't', title: 'T' } },
  { type: 'StartTask', data: { taskId: 't' } },
  { type: 'BlockTask', data: { taskId: 't', reason: 'r' } },
  { type: 'CompleteTask', data: { taskId: 't' } },
  { type: 'NoteHandover', data: { handoverId: 'h', to: 'x', note: 'n' } },
  { type: 'AcknowledgeHandover', data: { handoverId: 'h' } },
  { type: 'RequestInput', data: { inputRequestId: 'i', path: 'p', from: 'x' } },
  { type: 'ProvideInput', data: { inputRequestId: 'i' } },
  { type: 'StartPhase', data: { phase: 'p' } },
  { type: 'CompletePhase', data: { phase: 'p' } },
  { type: 'StartIteration', data: { subject: 's' } },
  { type: 'TripCircuitBreaker', data: { subject: 's' } },
  { type: 'ResetCircuitBreaker', data: { subject: 's' } },
  { type: 'RecordDecision', data: { decision: 'd' } },
  { type: 'ApproveDecision', data: { decisionId: 'DEC-001' } },
  { type: 'RejectDecision', data: { decisionId: 'DEC-001' } },
  { type: 'ReferenceArtifact', data: { artifactId: 'a', artifactType: 't', path: 'p' } },
];

describe('the life of a context', () => {
  it('starts without any members', () => {
    given().when({ type: 'CreateContext', data: {} }).then(created);
  });

  it('starts with all members, recorded as sent', () => {
    const data = {
      title: 'Checkout',
      workflow: { definitionId: 'sdd', version: 2, hash: 'abc' },
      input: [1, null],
      preferences: { tone: 'dry' },
      metadata: { team: 'web' },
      globalContext: { constraints: ['offline'] },
      parent: 'epic-1',
      continues: 'story-1',
      estimates: { hours: 4 },
    };
    given().when({ type: 'CreateContext', data }).then(did('ContextCreated', data));
  });

  it('starts once', () => {
    given(created).when({ type: 'CreateContext', data: {} }).thenRefused(ContextExistsError);
  });

  it('omits members that are undefined', () => {
    given()
      .when({ type: 'CreateContext', data: { title: undefined } })
      .then({ type: 'ContextCreated', data: {}, visibility: 'record' });
  });

  it('records the requested visibility', () => {
    given(created)
      .when({ type: 'StartStep', data: { stepId: 's' }, visibility: 'working' })
      .then(did('StepStarted', { stepId: 's' }, 'working'));
  });

  it('closes once and reopens once', () => {
    given(created).when({ type: 'CloseContext', data: {} }).then(closed);
    given(created, closed).when({ type: 'CloseContext', data: {} }).thenNothing();
    given(created, closed)
      .when({ type: 'ReopenContext', data: { reason: 'more to do' } })
      .then(did('ContextReopened', { reason: 'more to do' }));
    given(created).when({ type: 'ReopenContext', data: {} }).thenNothing();
  });

  it('closes with an outcome; closing with the same or no outcome is a repetition', () => {
    const failed = did('ContextClosed', { outcome: 'failed', reason: 'gave up' });
    given(created)
      .when({ type: 'CloseContext', data: { outcome: 'failed', reason: 'gave up' } })
      .then(failed);
    given(created, failed)
      .when({ type: 'CloseContext', data: { outcome: 'failed' } })
      .thenNothing();
    given(created, failed).when({ type: 'CloseContext', data: {} }).thenNothing();
  });

  it.each([did('ContextClosed', { outcome: 'failed' }), closed])(
    'is not closed again with another outcome',
    (first) => {
      given(created, first)
        .when({ type: 'CloseContext', data: { outcome: 'completed' } })
        .thenRefused(ContextClosedError, { code: 'context-closed' });
      given(created, first, did('ContextReopened', {}))
        .when({ type: 'CloseContext', data: { outcome: 'completed' } })
        .then(did('ContextClosed', { outcome: 'completed' }));
    },
  );

  it.each(others)('refuses $type if there is no context', (command) => {
    given().when(command).thenRefused(ContextNotFoundError, { code: 'context-not-found' });
  });

  it.each(others)('refuses $type while closed', (command) => {
    given(created, closed)
      .when(command)
      .thenRefused(ContextClosedError, { code: 'context-closed' });
  });

  it('refuses to close or reopen an unknown context', () => {
    given().when({ type: 'CloseContext', data: {} }).thenRefused(ContextNotFoundError);
    given().when({ type: 'ReopenContext', data: {} }).thenRefused(ContextNotFoundError);
  });

  it('refuses to create a closed context again', () => {
    given(created, closed)
      .when({ type: 'CreateContext', data: {} })
      .thenRefused(ContextExistsError);
  });
});
