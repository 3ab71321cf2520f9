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
 * What a worker does: it answers requests that the process it belongs to has authenticated and forwarded, with the same
 * handlers. It writes nothing and keeps no read models, and ends with its parent.
 */
async function runWorker({ config, socketPath }: WorkerStart): Promise<void> {
  const logger = createLogger({ logLevel: config.logLevel === 'silent' ? 'silent' : 'warn' });
  const runtime = await openRuntime(config, logger, { keepsReadModels: false });
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
  // The first view need not wait for it.
  await runInSlices(openTokenizer(config.views.tokenizer));
  await parentGone;
  await app.close();
  await runtime.close();
}

/** Nobody but the process that forked this one, which is of the same release, can send it a message. */
function isWorkerStart(message: unknown): message is WorkerStart {
  return isJsonObject(message) && 'config' in message && 'socketPath' in message;
}

const parentGone = once(process, 'disconnect');
// Whoever interrupts the server interrupts the group: the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const start: unknown = (await once(process, 'message')).at(0);
if (!isWorkerStart(start)) throw new TypeError('the first message is not that of startWorker');
await runWorker(start);
