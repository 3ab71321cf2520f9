import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const thread = fileURLToPath(new URL('probe-thread.mjs', import.meta.url));

/**
 * Reads one step output of a small context again and again, and watches the memory of the server and its workers. In a
 * thread of its own: the one that sends the cases is busy with their bodies, and would wait for itself.
 */
export async function startProbe({ address, key, pid }) {
  const worker = new Worker(thread, { workerData: { address, key, pid } });
  await once(worker, 'message');
  return {
    /** Milliseconds of each read, and the most megabytes that were resident. */
    stop: async () => {
      worker.postMessage('stop');
      const [measured] = await once(worker, 'message');
      return measured;
    },
  };
}
