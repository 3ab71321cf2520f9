// A projector and the runner of rebuilds, wired as in a server: `node projector.mjs <build>`.
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

await import('reflect-metadata');
const entry = join(process.argv[2], 'libs/platform/src/index.js');
const { createLogger, loadConfig, openRuntime } = await import(pathToFileURL(entry).href);

const config = loadConfig({ ...process.env, PROJECTOR: 'external' });
const runtime = await openRuntime(config, createLogger(config));
process.stdin.once('end', () => void runtime.close().then(() => process.exit()));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
runtime.startProjection();
