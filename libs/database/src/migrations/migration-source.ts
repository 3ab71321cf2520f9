import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Migration } from 'kysely/migration';
import { z } from 'zod';

import { MigrationChecksumError } from './migration.errors.js';

export type KnownMigration = {
  readonly name: string;
  /** Loaded only when it runs: most starts run none. */
  readonly up: Migration['up'];
  /** SHA-256 of its TypeScript source when it was merged. */
  readonly checksum: string;
};

const checksumsSchema = z.record(z.string(), z.string());

const migrationFile = /^(\d{8}T\d{4}_\w+)\.(ts|js)$/;

/** The sources and `dist` have the folder at the same relative path. */
export const migrationsFolder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** Every migration of a folder, in order, with its checksum from `checksums.json`. */
export async function loadMigrations(folder: string): Promise<KnownMigration[]> {
  const checksums = await readChecksums(folder);
  const names = (await readdir(folder)).filter((file) => migrationFile.test(file)).sort();
  return names.map((file) => describe(folder, file, checksums));
}

async function readChecksums(folder: string): Promise<Record<string, string>> {
  // migrations/checksum.mjs writes it, and a test verifies it.
  return checksumsSchema.parse(JSON.parse(await readFile(join(folder, 'checksums.json'), 'utf8')));
}

function describe(folder: string, file: string, checksums: Record<string, string>): KnownMigration {
  const name = file.replace(migrationFile, '$1');
  const checksum = checksums[`${name}.ts`];
  if (checksum === undefined) throw new MigrationChecksumError(name);
  const up: Migration['up'] = async (db) => (await load(join(folder, file))).up(db);
  return { name, up, checksum };
}

async function load(path: string): Promise<Migration> {
  // The folder contains only migrations; its README describes their exports.
  return (await import(pathToFileURL(path).href)) as Migration;
}
