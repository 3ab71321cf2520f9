import { type ExpectedVersion, OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';

import { PendingAppend } from './pending-append.js';

const pending = (expected: ExpectedVersion = 'no-stream') =>
  new PendingAppend('context-default:c', [], expected, { bytes: 0 });
const cause = new Error('no connection');

describe('PendingAppend.giveUp', () => {
  it('reports that nothing was stored if every attempt was refused, or none was sent', () => {
    expect(pending().giveUp()).toBeInstanceOf(StoreUnavailableError);
    const append = pending();
    append.sent();
    append.notApplied();
    expect(append.giveUp()).toBeInstanceOf(StoreUnavailableError);
  });

  it('reports an unknown outcome while an attempt is in progress', () => {
    const append = pending();
    append.sent();
    append.notApplied();
    append.sent();
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });

  it('reports an unknown outcome after an attempt without an answer', () => {
    const append = pending();
    append.sent();
    append.inDoubt(cause);
    append.sent();
    append.notApplied();
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });
});

describe('PendingAppend.inDoubt', () => {
  it('ends an append that a repetition could store twice', async () => {
    const append = pending('any');
    append.sent();
    append.inDoubt(cause);
    await expect(append.answer).rejects.toBeInstanceOf(OutcomeUnknownError);
  });
});
