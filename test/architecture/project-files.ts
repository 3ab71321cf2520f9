import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

const foreign = /^(node_modules|dist.*|coverage|results|\.git|\.throughline.*)$/;

/** All files of the project by their paths from the root, without installed, built and stored ones. */
export function listProjectFiles(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (foreign.test(entry.name) || entry.isSymbolicLink()) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? listProjectFiles(path) : [path];
  });
}

export function readProjectFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
