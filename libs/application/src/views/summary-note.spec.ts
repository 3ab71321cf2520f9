import { noteOf } from './summary-note.js';

const nextAt = new Date('2026-03-01T10:30:00Z');
const told = (why: string) =>
  `a model has not summed up what is old here: ${why}; digests, lines and roll-ups tell of it until it has`;

describe('a note of a summary that is missing', () => {
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
  ])('of %j says that %s', (status, why) => {
    expect(noteOf(status)).toBe(told(why));
  });
});
