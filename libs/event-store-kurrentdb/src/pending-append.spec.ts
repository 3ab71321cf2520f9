import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';

import { PendingAppend } from './pending-append.js';

const pending = () => new PendingAppend('context-default:c', [], 'no-stream');
const cause = new Error('no connection');

describe('an append that is given up', () => {
  it('was not stored if no try was sent, or none was applied', () => {
    expect(pending().giveUp()).toBeInstanceOf(StoreUnavailableError);
    const append = pending();
    append.sent();
    append.failed('not-applied', cause);
    expect(append.giveUp()).toBeInstanceOf(StoreUnavailableError);
  });

  it('has an unknown outcome while a try is under way', () => {
    const append = pending();
    append.sent();
    append.failed('not-applied', cause);
    append.sent();
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });

  it('has an unknown outcome once a try had no answer, whatever became of the next', () => {
    const append = pending();
    append.sent();
    append.failed('unknown', cause);
    append.sent();
    append.failed('not-applied', cause);
    expect(append.giveUp()).toBeInstanceOf(OutcomeUnknownError);
  });
});
