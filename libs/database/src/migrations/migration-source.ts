import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Migration } from 'kysely/migration';

import { MigrationChecksumError } from './migration.errors.js';

export type KnownMigration = {
  readonly name: string;
  readonly migration: Migration;
  /** SHA-256 of the TypeScript source it was merged as. */
  readonly checksum: string;
};

const migrationFile = /^(\d{8}T\d{4}_\w+)\.(ts|js)$/;

/** From the sources or from `dist`: both keep the folder at the same distance from here. */
export const migrationsFolder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));

/** Every migration of a folder, in order, with the checksum that `checksums.json` there gives it. */
export async function loadMigrations(folder: string): Promise<KnownMigration[]> {
  const checksums = await readChecksums(folder);
  const names = (await readdir(folder)).filter((file) => migrationFile.test(file)).sort();
  return Promise.all(names.map((file) => load(folder, file, checksums)));
}

async function readChecksums(folder: string): Promise<Record<string, string>> {
  // Written by migrations/checksum.mjs and kept right by a test.
  return JSON.parse(await readFile(join(folder, 'checksums.json'), 'utf8')) as Record<
    string,
    string
  >;
}

async function load(
  folder: string,
  file: string,
  checksums: Record<string, string>,
): Promise<KnownMigration> {
  const name = file.replace(migrationFile, '$1');
  const checksum = checksums[`${name}.ts`];
  if (checksum === undefined) throw new MigrationChecksumError(name);
  // The folder holds nothing else: its README says what a migration exports.
  const migration = (await import(pathToFileURL(join(folder, file)).href)) as Migration;
  return { name, migration, checksum };
}
