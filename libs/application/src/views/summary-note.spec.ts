import { noteOf } from './summary-note.js';

const nextAt = new Date('2026-03-01T10:30:00Z');
const noteWith = (why: string) =>
  `a model has not summarized the old entries yet: ${why}; until then, digests, lines and roll-ups represent them`;

describe('the note about a missing summary', () => {
  it.each([
    [
      { failures: 1, nextAt, isRunning: false },
      'it failed once and is asked again from 2026-03-01T10:30:00.000Z on',
    ],
    [
      { failures: 3, nextAt, isRunning: false },
      'it failed 3 times in a row and is asked again from 2026-03-01T10:30:00.000Z on',
    ],
    [{ failures: 2, nextAt, isRunning: true }, 'it failed 2 times in a row and is being asked now'],
    [{ failures: 1, nextAt: null, isRunning: false }, 'it failed once and is asked again'],
    [{ failures: 0, nextAt: null, isRunning: true }, 'it is being asked now'],
  ])('for %j states that %s', (status, why) => {
    expect(noteOf(status)).toBe(noteWith(why));
  });
});
