import { DatabaseStartError } from '../errors.js';
import { explainError, explainFailure } from './start-failure.js';

describe('explainFailure', () => {
  it.each([
    'FATAL:  could not extend file "base/1/2691": No space left on device\nPANIC:  cannot abort transaction 1',
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 3',
    'PANIC:  could not write to file "pg_wal/xlogtemp.17": No space left on device',
    'ERROR:  could not write block: Disk quota exceeded',
  ])('reports a full disk for %s', (output) => {
    expect(explainFailure(output, '/data')).toMatchObject({ code: 'storage-full' });
  });

  it.each([
    [
      '2026-11-21 03:26:39 UTC [7] LOG:  starting\n2026-11-21 03:26:39 UTC [7] FATAL:  could not create shared memory segment: Cannot allocate memory\n',
      'could not create shared memory segment: Cannot allocate memory',
    ],
    [
      'initdb: error: invalid locale name "xx"\ninitdb: removing contents',
      'invalid locale name "xx"',
    ],
    ['Killed\n', 'Killed'],
    ['', 'it wrote no message.'],
  ])('reports the last error of %j', (output, reason) => {
    expect(explainFailure(output, '/data').message).toBe(
      `The embedded PostgreSQL in /data did not start: ${reason}`,
    );
  });
});

describe('explainError', () => {
  const errorOf = (code: string) => Object.assign(new Error(code), { code });

  it('returns the error for a known code, and otherwise the same error', () => {
    expect(explainError(errorOf('ENOSPC'), '/data')).toMatchObject({ code: 'storage-full' });
    expect(explainError(errorOf('EROFS'), '/data')).toMatchObject({
      code: 'data-directory-access',
    });
    const others = [errorOf('EMFILE'), new DatabaseStartError('x'), 'text'];
    expect(others.map((error) => explainError(error, '/data'))).toEqual(others);
  });
});
