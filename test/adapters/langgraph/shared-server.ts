import { type TestProject } from 'vitest/node';

import { ThroughlineServer } from './throughline-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    url: string;
  }
}

/** One server for all suites; `inject('url')` says where it is. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await ThroughlineServer.start();
  project.provide('url', server.url);
  return () => server.stop();
}
