import { runSample } from './in-process.js';

import { openTestDatabase, openTestServer } from '#testing';

describe('the sample of the documentation', () => {
  it('runs as it is printed', async () => {
    const server = await openTestServer();
    const database = await openTestDatabase(server);
    try {
      const { files, conflict, document } = await runSample(database.connectionString);
      expect(files).toEqual(['login.ts']);
      expect(conflict).toMatchObject({
        code: 'version-conflict',
        expectedVersion: 1,
        currentVersion: 4,
      });
      expect(document).toMatchObject({
        stepOutputs: { build: { done: ['login.ts'] } },
        decisionHistory: [{ decisionId: 'DEC-001', agentId: 'architect', live: true }],
      });
    } finally {
      await database.close();
      await server.close();
    }
  });
});
