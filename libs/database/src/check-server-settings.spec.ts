import { refuseUnsafe, type ServerFacts } from './check-server-settings.js';

const safe: ServerFacts = {
  versionNumber: 150_000,
  isReplica: false,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  readOnly: 'off',
  encoding: 'UTF8',
};

describe('refuseUnsafe', () => {
  it.each(['on', 'local', 'remote_write', 'remote_apply'])(
    'accepts synchronous_commit=%s, which waits for the disk',
    (synchronousCommit) => {
      expect(() => refuseUnsafe({ ...safe, synchronousCommit })).not.toThrow();
    },
  );

  it.each([
    [{ versionNumber: 140_011 }, 'server_version_num=140011'],
    [{ isReplica: true }, 'in_recovery=on'],
    [{ readOnly: 'on' }, 'default_transaction_read_only=on'],
    [{ encoding: 'SQL_ASCII' }, 'server_encoding=SQL_ASCII'],
    [{ fsync: 'off' }, 'fsync=off'],
    [{ fullPageWrites: 'off' }, 'full_page_writes=off'],
    [{ synchronousCommit: 'off' }, 'synchronous_commit=off'],
  ])('rejects %j with a sentence that names the setting', (facts, named) => {
    expect(() => refuseUnsafe({ ...safe, ...facts })).toThrow(
      expect.objectContaining({
        code: 'unsafe-database-server',
        message: expect.stringMatching(
          new RegExp(`^The database server runs with ${named}: .*\\w\\.$`),
        ),
      }),
    );
  });
});
