import { UsageError } from '../cli-error.js';

/** The format of files that "throughline export" writes of all events; it needs no name. */
export const eventsFormat = 'events-jsonl';

export type ImportFormat = Readonly<{
  name: string;
  /** Of the files that are taken from a folder. */
  extensions: readonly string[];
  /** Which files become one context: each alone, those of a folder, a story with its gates, or all together. */
  contextOf: 'file' | 'folder' | 'story' | 'all';
  /** Whether the server stores the text, by which revisions that were imported before are recognised. */
  isTextStored: boolean;
  /** Whether files of lines are sent in portions, each as it is. */
  isDivided: boolean;
}>;

const usual = { isTextStored: true, isDivided: false } as const;

const importFormats: readonly ImportFormat[] = [
  { ...usual, name: 'sdd-context', extensions: ['.json'], contextOf: 'file' },
  {
    ...usual,
    name: 'bmad-session',
    extensions: ['.json', '.yaml', '.yml'],
    contextOf: 'all',
  },
  {
    ...usual,
    name: 'story-markdown',
    extensions: ['.md', '.yaml', '.yml'],
    contextOf: 'story',
  },
  { ...usual, name: 'adr-markdown', extensions: ['.md', '.markdown'], contextOf: 'folder' },
  {
    name: 'trajectory-jsonl',
    extensions: ['.jsonl', '.ndjson', '.json', '.traj'],
    contextOf: 'file',
    isTextStored: false,
    isDivided: true,
  },
  {
    name: 'langgraph-history',
    extensions: ['.json'],
    contextOf: 'file',
    isTextStored: false,
    isDivided: false,
  },
];

export const importFormatNames = importFormats.map(({ name }) => name).join(', ');

export function findImportFormat(wanted: string): ImportFormat {
  const format = importFormats.find(({ name }) => name === wanted);
  if (format) return format;
  throw new UsageError(
    `no documents are imported as "${wanted}"`,
    `--format takes one of ${eventsFormat}, ${importFormatNames}`,
  );
}
