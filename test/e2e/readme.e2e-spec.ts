import { proveShellPage } from './docs/shell-page.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

it('README.md shows what its commands print', async () => {
  const server = await ThroughlineServer.start();
  try {
    await proveShellPage('../README.md', { API: `${server.url}/v1`, KEY: rootKey });
  } finally {
    await server.stop();
  }
}, 120_000);
