import { basename, dirname, resolve } from 'node:path';

import { UsageError } from '../cli-error.js';
import { type InputFile, nameOf } from './find-files.js';
import { type ImportFormat } from './import-formats.js';
import { storyNumber } from './story-number.js';

/** `name`: the name of the file on the server. */
export type NamedFile = Readonly<{ path: string; name: string; bytes: number }>;

/** Files that become one context. */
export type FileGroup = Readonly<{
  files: readonly NamedFile[];
  /** The id of the context; if it is undefined, the server derives one from the documents. */
  as?: string | undefined;
}>;

/** `unassigned`: files that belong to no context, each with the reason. */
type FileGroups = Readonly<{ groups: readonly FileGroup[]; unassigned: readonly string[] }>;

/** Divides files into contexts. With `as`, all files belong to that context. */
export function groupFiles(
  files: readonly InputFile[],
  { contextOf }: Pick<ImportFormat, 'contextOf'>,
  as: string | undefined,
): FileGroups {
  const { groups, unassigned } = divide(files, contextOf, as !== undefined);
  if (as === undefined) return { groups, unassigned };
  const [group, second] = groups;
  if (!group || second)
    throw new UsageError(
      `--as names one context, but these files become ${groups.length}`,
      'import them one at a time, or omit --as',
    );
  return { groups: [{ ...group, as }], unassigned };
}

function divide(
  files: readonly InputFile[],
  contextOf: ImportFormat['contextOf'],
  isOne: boolean,
): FileGroups {
  const named = files.map(byCurrentDirectory);
  switch (contextOf) {
    case 'file':
      return { groups: named.map((file) => ({ files: [file] })), unassigned: [] };
    case 'all':
      return { groups: [{ files: named }], unassigned: [] };
    case 'folder':
      return { groups: byFolder(files), unassigned: [] };
    case 'story':
      return byStory(named, isOne);
  }
}

function byCurrentDirectory({ path, bytes }: InputFile): NamedFile {
  return { path, bytes, name: nameOf(path) };
}

function byFolder(files: readonly InputFile[]): FileGroup[] {
  const folders = Map.groupBy(files, ({ path, folder }) => resolve(folder ?? dirname(path)));
  return Array.from(folders, ([folder, group]) => ({
    as: contextIdFrom(basename(folder)),
    files: group.map(({ path, bytes }) => ({ path, bytes, name: nameOf(path, folder) })),
  }));
}

function contextIdFrom(name: string): string | undefined {
  const id = name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 128);
  return /[A-Za-z0-9]/.test(id) ? id : undefined;
}

function byStory(files: readonly NamedFile[], isOne: boolean): FileGroups {
  const isGate = ({ name }: NamedFile) => /\.ya?ml$/i.test(name);
  const stories = files.filter((file) => !isGate(file));
  const gates = files.filter(isGate);
  if (isOne && stories.length <= 1) return { groups: [{ files }], unassigned: [] };
  const storyOf = new Map(gates.map((gate) => [gate, nearestStory(gate, stories)]));
  return {
    groups: stories.map((story) => ({
      files: [story, ...gates.filter((gate) => storyOf.get(gate) === story)],
    })),
    unassigned: gates
      .filter((gate) => !storyOf.get(gate))
      .map(({ name }) => `${name}: no story with this number is among the files`),
  };
}

/** Returns the story with the number of the gate whose path has the longest common prefix with the gate. */
function nearestStory(gate: NamedFile, stories: readonly NamedFile[]): NamedFile | undefined {
  const number = storyNumber(gate.name);
  if (number === undefined) return undefined;
  const same = stories.filter(({ name }) => storyNumber(name) === number);
  const [nearest] = same.toSorted(
    (left, right) => sharedSteps(right, gate) - sharedSteps(left, gate),
  );
  return nearest;
}

function sharedSteps(one: NamedFile, other: NamedFile): number {
  const others = other.name.split('/');
  const at = one.name.split('/').findIndex((step, index) => step !== others[index]);
  return at === -1 ? others.length : at;
}
