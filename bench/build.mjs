import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const libraries = [
  'database',
  'event-sourcing',
  'event-store-postgres',
  'read-models',
  'application',
  'platform',
];

/** The exports of the measured build, and the framework that it runs in. */
export async function loadBuild(directory) {
  await import('reflect-metadata');
  const entries = libraries.map((name) => join(directory, 'libs', name, 'src/index.js'));
  const parts = await Promise.all([
    ...entries.map((entry) => import(pathToFileURL(entry).href)),
    import('@nestjs/core'),
  ]);
  return Object.assign({ directory }, ...parts);
}
