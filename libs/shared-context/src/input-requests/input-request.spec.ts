import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type EventData, type NewContextEvent } from '../context.events.js';
import { renderInputRequests } from './input-request.document.js';
import { inputRequested } from './input-request.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const request = {
  inputRequestId: 'IN-1',
  path: 'analyst.outputs.project_brief.budget',
  from: 'analyst',
  reason: 'the estimate rests on it',
} as const;
const requested = did('InputRequested', request);

type Answer = Omit<EventData<'InputProvided'>, 'inputRequestId'>;

const providing = (said: Answer) => ({ inputRequestId: 'IN-1', ...said });
const provided = (said: Answer) =>
  did('InputProvided', { ...providing(said), requestedBy: 'tester' });
const provide = (said: Answer) => ({ type: 'ProvideInput', data: providing(said) }) as const;

function requestsAfter(...events: readonly NewContextEvent[]) {
  return renderInputRequests([...contextAfter(created, ...events).values()])['inputRequests'];
}

describe('requesting input', () => {
  it('is recorded once, also after the input was provided', () => {
    const command = { type: 'RequestInput', data: request } as const;
    given(created).when(command).then(requested);
    given(created, requested).when(command).thenNothing();
    given(created, requested, provided({ value: 1, note: 'n' }))
      .when(command)
      .thenNothing();
  });

  it('is refused with the id of another request', () => {
    given(created, requested)
      .when({ type: 'RequestInput', data: { ...request, from: 'pm' } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/inputRequestId' }] });
  });

  it('requires a path and an agent', () => {
    const parses = (more: object) =>
      inputRequested.schema.safeParse({ ...request, ...more }).success;
    expect(parses({ reason: undefined })).toBe(true);
    expect(parses({ path: '' })).toBe(false);
    expect(parses({ from: undefined })).toBe(false);
    expect(parses({ from: 'admin' })).toBe(false);
  });
});

describe('providing input', () => {
  it.each([{ value: { budget: 5 } }, { value: null }, { note: 'see the brief' }, {}])(
    'is recorded once with %j',
    (said) => {
      given(created, requested).when(provide(said)).then(provided(said));
      given(created, requested, provided(said)).when(provide(said)).thenNothing();
    },
  );

  it('replaces the earlier input if the content differs', () => {
    given(created, requested, provided({ value: 1 }))
      .when(provide({ value: 2 }))
      .then(provided({ value: 2 }));
    given(created, requested, provided({}))
      .when(provide({ value: null }))
      .then(provided({ value: null }));
  });

  it('requires a known request', () => {
    given(created)
      .when(provide({ value: 1 }))
      .thenRefused(NotFoundError, { details: { kind: 'input request', id: 'IN-1' } });
  });
});

describe('input requests in the document', () => {
  const by = { agentId: 'tester', timestamp: '2026-01-01T00:00:02.000Z', version: 2 };

  it('are open until input is provided, and then show it with its author', () => {
    expect(requestsAfter(requested)).toEqual([{ ...request, ...by, status: 'open' }]);
    expect(requestsAfter(requested, provided({ value: null, note: 'none' }))).toEqual([
      {
        ...request,
        ...by,
        status: 'provided',
        value: null,
        note: 'none',
        providedBy: 'tester',
        providedAt: '2026-01-01T00:00:03.000Z',
      },
    ]);
  });

  it('show only the latest answer', () => {
    const twice = [requested, provided({ value: 1, note: 'rough' }), provided({ value: 2 })];
    expect(requestsAfter(...twice)).toEqual([
      {
        ...request,
        ...by,
        status: 'provided',
        value: 2,
        providedBy: 'tester',
        providedAt: '2026-01-01T00:00:04.000Z',
      },
    ]);
  });

  it('are not created by an answer', () => {
    expect(requestsAfter(provided({ value: 1 }))).toEqual([]);
  });
});
