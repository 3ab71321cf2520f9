import { DatabaseError } from 'pg';

import { failureKindOf } from './statement-failure.js';

function databaseError(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('made', 4, 'error'), { code, severity });
}

describe('failureKindOf', () => {
  test.each(['40001', '40P01', '55P03', '57014', '53200', '53300', '25006', '58030'])(
    'returns not-applied for %s',
    (code) => expect(failureKindOf(databaseError(code))).toBe('not-applied'),
  );

  test.each(['22021', '22P05', '23505', '42P01', '42883', 'XX000'])(
    'returns refused for %s',
    (code) => expect(failureKindOf(databaseError(code))).toBe('refused'),
  );

  test('returns storage-full for 53100', () => {
    expect(failureKindOf(databaseError('53100'))).toBe('storage-full');
  });

  test.each([
    ['a shutdown', databaseError('57P01', 'FATAL')],
    ['a crash of another backend', databaseError('57P02', 'WARNING')],
    ['a lost connection', databaseError('08006')],
    ['a full disk that ended the session', databaseError('53100', 'PANIC')],
    ['a broken socket', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['silence', new Error('no answer within 5000 ms')],
  ])('returns unknown for %s', (_, error) => {
    expect(failureKindOf(error)).toBe('unknown');
  });
});
