import { proveShellPage } from './docs/shell-page.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

it('docs/live-feed.md shows the real output of its commands', async () => {
  const server = await ThroughlineServer.start();
  try {
    const env = { THROUGHLINE_URL: server.url, THROUGHLINE_KEY: rootKey };
    await proveShellPage('live-feed.md', env);
  } finally {
    await server.stop();
  }
}, 120_000);
