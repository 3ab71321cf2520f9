import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';

import { PendingAppend } from './pending-append.js';

const pending = () => new PendingAppend('context-default:c', [], 'no-stream');
const cause = new Error('no connection');

describe('PendingAppend.giveUp', () => {
  it('reports that nothing was stored if no attempt was sent or applied', () => {
    expect(pending().giveUp()).toBeInstanceOf(StoreUnavailableError);
    const append = pending();
    append.sent();
    append.failed('not-applied', cause);
    expect(append.giveUp()).toBeInstanceOf(StoreUnavailableError);
  });

  it('reports an unknown outcome while an attempt is in progress', () => {
    const append = pending();
    append.sent();
    append.failed('not-applied', cause);
    append.sent();
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });

  it('reports an unknown outcome after an attempt without an answer', () => {
    const append = pending();
    append.sent();
    append.failed('unknown', cause);
    append.sent();
    append.failed('not-applied', cause);
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });
});
