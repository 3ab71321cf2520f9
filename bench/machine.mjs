import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import {
  arch,
  availableParallelism,
  cpus,
  loadavg,
  release,
  tmpdir,
  totalmem,
  type,
} from 'node:os';
import { join } from 'node:path';

import { quantile } from './statistics.mjs';

const inMemory = 0x0102_1994;
const syncs = 200;
const pageBytes = 8192;

/** The properties of the machine that affect the figures, as far as a program can read them. */
export async function describeMachine() {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    processor: `${availableParallelism()} x ${cpus()[0]?.model ?? arch()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: process.version,
    load: loadavg()[0].toFixed(1),
    ...describeDisk(),
    versions: versionsOf(
      ['..', '.'],
      [
        'pg',
        'fastify',
        '@nestjs/core',
        '@event-driven-io/emmett-postgresql',
        '@langchain/langgraph-checkpoint-postgres',
        '@langchain/langgraph',
        '@dbos-inc/dbos-sdk',
      ],
    ),
  };
}

/** The duration of one durable page write without a database, in the directory of the database. */
function describeDisk() {
  const directory = mkdtempSync(join(tmpdir(), 'throughline-bench-disk-'));
  const file = openSync(join(directory, 'page'), 'w');
  const page = Buffer.alloc(pageBytes, 1);
  const latencies = Array.from({ length: syncs }, () => {
    const started = performance.now();
    writeSync(file, page, 0, pageBytes, 0);
    fdatasyncSync(file);
    return performance.now() - started;
  });
  const isInMemory = statfsSync(directory).type === inMemory;
  closeSync(file);
  rmSync(directory, { recursive: true });
  return { isInMemory, sync: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) } };
}

function versionsOf(roots, names) {
  return names.flatMap((name) => {
    for (const root of roots) {
      const version = installedVersion(join(import.meta.dirname, root, 'node_modules', name));
      if (version) return [`${name} ${version}`];
    }
    return [];
  });
}

function installedVersion(directory) {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}
