import { join, resolve } from 'node:path';

const tests = join(import.meta.dirname, '../../test/data');

/** The real contexts of the tests, and their definition of a fact. */
export async function loadCorpus(env = process.env) {
  const { realContexts } = await import(join(tests, 'views/corpus.ts'));
  const { factsIn, tells } = await import(join(tests, 'facts.ts'));
  const folder = resolve(env.THROUGHLINE_DATA ?? '../shared/data');
  return { contexts: realContexts(folder), factsIn, tells };
}

export function bytesOf({ events }) {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}
