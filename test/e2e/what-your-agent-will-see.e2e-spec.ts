import { proveHttpPage } from './docs/http-page.js';
import { patient } from './docs/patient-server.js';
import { proveShellPage } from './docs/shell-page.js';
import { createTutorialContext } from './docs/tutorial-context.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

it('docs/what-your-agent-will-see.md shows the real output of its commands', async () => {
  const server = await ThroughlineServer.start();
  try {
    await proveShellPage('what-your-agent-will-see.md', { API: `${server.url}/v1`, KEY: rootKey });
  } finally {
    await server.stop();
  }
}, 120_000);

// Each page continues with the context of the tutorial, in its own workspace.
it.each(['ask-for-a-view.md', 'continue-from-a-view.md', 'views-reference.md'])(
  'docs/%s shows the actual views, byte for byte',
  async (page) => {
    const server = await ThroughlineServer.shared();
    try {
      await createTutorialContext(server);
      await proveHttpPage(page, patient(server));
    } finally {
      await server.stop();
    }
  },
  120_000,
);
