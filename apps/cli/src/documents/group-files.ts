import { basename, dirname, resolve } from 'node:path';

import { UsageError } from '../cli-error.js';
import { type FoundFile, nameOf } from './find-files.js';
import { type ImportFormat } from './import-formats.js';
import { storyNumber } from './story-number.js';

/** `name`: as the server knows it. */
export type NamedFile = Readonly<{ path: string; name: string; bytes: number }>;

/** Files that become one context. */
export type FileGroup = Readonly<{
  files: readonly NamedFile[];
  /** The context; if it is undefined, the server makes an id from the documents. */
  as?: string | undefined;
}>;

/** `leftOut`: files that belong to no context, each with the reason. */
type FileGroups = Readonly<{ groups: readonly FileGroup[]; leftOut: readonly string[] }>;

/** Divides files into contexts. With `as` there is one, to which everything belongs. */
export function groupFiles(
  found: readonly FoundFile[],
  { contextOf }: Pick<ImportFormat, 'contextOf'>,
  as: string | undefined,
): FileGroups {
  const { groups, leftOut } = divided(found, contextOf, as !== undefined);
  if (as === undefined) return { groups, leftOut };
  const [group, second] = groups;
  if (!group || second)
    throw new UsageError(
      `--as names one context, and these files become ${groups.length}`,
      'import them one at a time, or leave --as out',
    );
  return { groups: [{ ...group, as }], leftOut };
}

function divided(
  found: readonly FoundFile[],
  contextOf: ImportFormat['contextOf'],
  isOne: boolean,
): FileGroups {
  const named = found.map(byCurrentDirectory);
  switch (contextOf) {
    case 'file':
      return { groups: named.map((file) => ({ files: [file] })), leftOut: [] };
    case 'all':
      return { groups: [{ files: named }], leftOut: [] };
    case 'folder':
      return { groups: byFolder(found), leftOut: [] };
    case 'story':
      return byStory(named, isOne);
  }
}

function byCurrentDirectory({ path, bytes }: FoundFile): NamedFile {
  return { path, bytes, name: nameOf(path) };
}

function byFolder(found: readonly FoundFile[]): FileGroup[] {
  const folders = Map.groupBy(found, ({ path, folder }) => resolve(folder ?? dirname(path)));
  return Array.from(folders, ([folder, files]) => ({
    as: contextIdFrom(basename(folder)),
    files: files.map(({ path, bytes }) => ({ path, bytes, name: nameOf(path, folder) })),
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
  if (isOne && stories.length <= 1) return { groups: [{ files }], leftOut: [] };
  const storyOf = new Map(gates.map((gate) => [gate, nearestStory(gate, stories)]));
  return {
    groups: stories.map((story) => ({
      files: [story, ...gates.filter((gate) => storyOf.get(gate) === story)],
    })),
    leftOut: gates
      .filter((gate) => !storyOf.get(gate))
      .map(({ name }) => `${name}: no story of this number is among the files`),
  };
}

/** Of the stories with the number of the gate, the one whose path begins most like that of the gate. */
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
