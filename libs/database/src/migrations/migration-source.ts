import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Migration } from 'kysely/migration';
import { z } from 'zod';

import { MigrationChecksumError } from './migration.errors.js';

export type KnownMigration = {
  readonly name: string;
  /** Loaded when it is run: most starts run none. */
  readonly up: Migration['up'];
  /** SHA-256 of the TypeScript source it was merged as. */
  readonly checksum: string;
};

const checksumsSchema = z.record(z.string(), z.string());

const migrationFile = /^(\d{8}T\d{4}_\w+)\.(ts|js)$/;

/** From the sources or from `dist`: both keep the folder at the same distance from here. */
export const migrationsFolder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** Every migration of a folder, in order, with the checksum that `checksums.json` there gives it. */
export async function loadMigrations(folder: string): Promise<KnownMigration[]> {
  const checksums = await readChecksums(folder);
  const names = (await readdir(folder)).filter((file) => migrationFile.test(file)).sort();
  return names.map((file) => describe(folder, file, checksums));
}

async function readChecksums(folder: string): Promise<Record<string, string>> {
  // Written by migrations/checksum.mjs and kept right by a test.
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
  // The folder holds nothing else: its README says what a migration exports.
  return (await import(pathToFileURL(path).href)) as Migration;
}
