// An application whose function executes steps: `node functions.mjs <build> <database> [<definition> <steps>]`. With a
// definition it starts a run of it, and hangs in its first step after this number of steps.
import { once } from 'node:events';

import { loadBuild } from '../../build.mjs';
import { loadPayloads } from '../../payloads.mjs';
import { agent } from '../our-runs.mjs';

const [directory, databaseUrl, definitionId, steps = 'Infinity'] = process.argv.slice(2);
const { outputs } = await loadPayloads();
const { NestFactory, SharedContextModule, SharedContextService, WorkflowRunsService } =
  await loadBuild(directory);
const module = await SharedContextModule.forRoot({
  databaseUrl,
  functions: {
    [agent]: ({ step: { visit } }) => {
      if (visit <= Number(steps)) return outputs[visit % outputs.length].output;
      process.stdout.write('hangs\n');
      return new Promise(() => {});
    },
  },
});
const application = await NestFactory.createApplicationContext(module, { logger: ['error'] });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
if (definitionId) {
  const { contextId } = await application.get(SharedContextService).createContext();
  await application.get(WorkflowRunsService).start(contextId, definitionId);
}
