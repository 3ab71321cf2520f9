import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const thread = fileURLToPath(new URL('probe-thread.mjs', import.meta.url));

/**
 * Reads one step output of a small context in a loop, and samples the memory of the server and its workers. It runs in
 * a separate thread, since the thread that sends the cases is busy with their bodies.
 */
export async function startProbe({ address, key, pid }) {
  const worker = new Worker(thread, { workerData: { address, key, pid } });
  await once(worker, 'message');
  return {
    /** The milliseconds of each read, and the maximum of resident megabytes. */
    stop: async () => {
      worker.postMessage('stop');
      const [measured] = await once(worker, 'message');
      return measured;
    },
  };
}
