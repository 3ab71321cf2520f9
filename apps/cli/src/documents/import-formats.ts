import { UsageError } from '../cli-error.js';

/** The format of event exports, which is detected without --format. */
export const eventsFormat = 'events-jsonl';

export type ImportFormat = Readonly<{
  name: string;
  /** The extensions of the files that are read from a folder. */
  extensions: readonly string[];
  /** Which files become one context: each file, the files of a folder, a story with its gates, or all files. */
  contextOf: 'file' | 'folder' | 'story' | 'all';
  /** Whether the server stores the text, which identifies revisions that were imported before. */
  isTextStored: boolean;
  /** Whether files of JSON lines are sent in portions. */
  isDivided: boolean;
}>;

const defaults = { isTextStored: true, isDivided: false } as const;

const importFormats: readonly ImportFormat[] = [
  { ...defaults, name: 'sdd-context', extensions: ['.json'], contextOf: 'file' },
  {
    ...defaults,
    name: 'bmad-session',
    extensions: ['.json', '.yaml', '.yml'],
    contextOf: 'all',
  },
  {
    ...defaults,
    name: 'story-markdown',
    extensions: ['.md', '.yaml', '.yml'],
    contextOf: 'story',
  },
  { ...defaults, name: 'adr-markdown', extensions: ['.md', '.markdown'], contextOf: 'folder' },
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

export function findImportFormat(requested: string): ImportFormat {
  const format = importFormats.find(({ name }) => name === requested);
  if (format) return format;
  throw new UsageError(
    `there is no import format "${requested}"`,
    `--format takes one of ${eventsFormat}, ${importFormatNames}`,
  );
}
