import { Throughline } from '@throughline/sdk';

import { type ToolContext } from './tool-context.js';

/** Returns a tool context whose API gives these answers. A request without an answer ends with its signal. */
export function toolContextAnswering(
  answer: (address: URL) => Response | Promise<Response>,
): ToolContext {
  return {
    client: new Throughline({
      url: 'http://127.0.0.1:1',
      maxRetries: 0,
      fetch: (address: string, { signal }: Readonly<{ signal: AbortSignal }>) =>
        Promise.race([answer(new URL(address)), rejectionOf(signal)]),
    }),
    principal: { principal: 'a', agentId: 'a', audiences: ['all'], actsFor: [] },
    countTokens: (text) => text.length,
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
