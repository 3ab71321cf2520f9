import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { commandsOf } from './docs/console-page.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

const run = promisify(execFile);
const page = join(import.meta.dirname, '..', '..', 'docs', 'live-feed.md');

it('docs/live-feed.md shows what its commands print', async () => {
  const server = await ThroughlineServer.start();
  const cwd = await mkdtemp(join(tmpdir(), 'throughline-live-feed-'));
  try {
    const env = { ...process.env, THROUGHLINE_URL: server.url, THROUGHLINE_KEY: rootKey };
    const commands = commandsOf(await readFile(page, 'utf8'));
    expect(commands.length).toBeGreaterThan(3);
    for (const { line, text, expected } of commands) {
      const { stdout } = await run('sh', ['-c', text], { cwd, env });
      expect([line, ...stdout.trim().split('\n')]).toEqual([line, ...expected]);
    }
  } finally {
    await server.stop();
    await rm(cwd, { recursive: true });
  }
}, 120_000);
