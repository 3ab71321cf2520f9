import 'reflect-metadata';

import { once } from 'node:events';

import { ApplicationModule } from '#application';
import { openTokenizer } from '#context-views';
import { isJsonObject } from '#event-sourcing';
import { PlatformModule, createLogger, openRuntime } from '#platform';
import { runInSlices } from '#slices';

import { packageVersion } from '../package-version.js';
import { createApi } from '../serve-api.js';
import { maxHeaderSize, trustForwarded } from './forwarded-principals.js';
import { type WorkerStart } from './start-worker.js';
import { type Listening } from './worker-process.js';

/**
 * The main function of a worker. Answers requests that the parent process has authenticated and forwarded, with the same handlers. It
 * updates no read models, and ends with its parent.
 */
async function runWorker({ config, socketPath }: WorkerStart): Promise<void> {
  const logger = createLogger({ logLevel: config.logLevel === 'silent' ? 'silent' : 'warn' });
  const runtime = await openRuntime(config, logger, { updatesReadModels: false });
  const { registry, requests } = runtime.metrics;
  const version = await packageVersion();
  const app = await createApi({
    rateLimit: 0,
    logger,
    authentication: trustForwarded,
    maxHeaderSize,
    imports: [ApplicationModule.register(PlatformModule.forRuntime(runtime))],
    state: { version, registry, requests, readiness: runtime.readiness },
  });
  await app.getHttpAdapter().getInstance().listen({ path: socketPath });
  process.send?.({ listening: true } satisfies Listening);
  // Loads the tokenizer now, so that the first view need not wait for it.
  await runInSlices(openTokenizer(config.views.tokenizer));
  await parentDisconnected;
  await app.close();
  await runtime.close();
}

/** Checks only the shape: only the parent process, which runs the same release, can send messages to this process. */
function isWorkerStart(message: unknown): message is WorkerStart {
  return isJsonObject(message) && 'config' in message && 'socketPath' in message;
}

const parentDisconnected = once(process, 'disconnect');
// An interrupt reaches the whole process group; the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const start: unknown = (await once(process, 'message')).at(0);
if (!isWorkerStart(start)) throw new TypeError('the first message was not sent by startWorker');
await runWorker(start);
