import { type TestProject } from 'vitest/node';

import { ThroughlineServer } from './throughline-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    url: string;
  }
}

/** One server for all suites; `inject('url')` returns its URL. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await ThroughlineServer.start();
  project.provide('url', server.url);
  return () => server.stop();
}
