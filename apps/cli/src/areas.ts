import { type CliCommand } from './command.js';

/** Commands that belong together: by the first word of their names, with what is said of groups of commands. */
type Area = Readonly<{ title: string; words: Readonly<Record<string, string>> }>;

/** In the order in which help and docs/cli.md show them. */
export const areas: readonly Area[] = [
  {
    title: 'Contexts',
    words: {
      context: 'List, show and create contexts',
      checkpoint: 'Names for versions of a context',
      ...single('replay', 'diff', 'changes', 'trace', 'tail', 'check'),
      ...single('verify', 'export', 'import'),
    },
  },
  { title: 'What agents read', words: single('view', 'prompt', 'receipt') },
  {
    title: 'What agents write',
    words: {
      step: 'Steps: that they begin, fail or are complete',
      output: 'What steps have produced',
      decision: 'What was decided, and why',
      artifact: 'Files and documents',
      record: 'Sections of the story',
      review: 'Reviews',
      issue: 'What reviews have found',
      signal: 'How agents say that phases end',
      preferences: 'How the work is to be done',
      global: 'What holds for the whole context',
    },
  },
  {
    title: 'Plans',
    words: {
      task: 'What is to be done, and how far it is',
      phase: 'Phases of the work',
      iteration: 'Loops',
      breaker: 'Limits of loops',
      requirement: 'What is required',
      risk: 'What may happen',
      blocker: 'What is in the way',
      dependency: 'What the work depends on',
    },
  },
  {
    title: 'Between agents',
    words: {
      handover: 'Work that agents hand over',
      input: 'What agents ask of each other',
      ...single('inbox'),
    },
  },
  {
    title: 'Workflows and runs',
    words: {
      workflow: 'Definitions of workflows',
      ...single('run'),
      approval: 'What runs ask of people',
      ...single('work'),
    },
  },
  {
    title: 'The workspace',
    words: {
      agent: 'Who takes part, what they need and what they promise',
      transformation: 'How values are derived from others',
      policy: 'What audiences see',
      settings: 'Defaults of the workspace',
      key: 'Who may do what',
      ...single('me', 'mcp', 'init'),
    },
  },
  {
    title: 'The server',
    words: {
      ...single('start', 'projector'),
      projection: 'The read models: where they stand, and how they are made anew',
      job: 'Rebuilds, and how they get on',
      'dead-letter': 'What could not be applied to the read models',
      epoch: 'Which runs go on by themselves',
      ...single('migrate', 'backup', 'restore'),
      store: 'Where the streams are',
      ...single('audit'),
    },
  },
];

/** What is said of a group of commands; its name if nothing is. */
export function describeGroup(word: string): string {
  return areas.find(({ words }) => Object.hasOwn(words, word))?.words[word] || word;
}

/** All commands by area, on one screen: `context create, list, show · replay · diff`. */
export function renderAreas(commands: readonly CliCommand[], width: number): string {
  return areas
    .map(({ title, words }) => {
      const groups = Object.keys(words).map((word) => groupText(word, commands));
      return [title, ...wrap(groups, width)].join('\n  ');
    })
    .join('\n');
}

const separator = ' · ';

/** The word alone where it is a command, and with the second words of its commands. */
function groupText(word: string, commands: readonly CliCommand[]): string {
  const names = commands.map(({ name }) => name);
  const verbs = names.filter((name) => name.startsWith(`${word} `));
  const listed = verbs.map((name) => name.slice(word.length + 1)).join(', ');
  return [names.includes(word) ? [word] : [], listed === '' ? [] : [`${word} ${listed}`]]
    .flat()
    .join(separator);
}

/** Lines of at most `width` characters, broken between groups; a longer group has a line of its own. */
function wrap(groups: readonly string[], width: number): readonly string[] {
  return groups.reduce<readonly string[]>((lines, group) => {
    const last = lines.at(-1);
    const joined = last === undefined ? group : `${last}${separator}${group}`;
    return last === undefined || joined.length > width
      ? [...lines, group]
      : [...lines.slice(0, -1), joined];
  }, []);
}

/** Words that are commands themselves, and say what they are. */
function single(...words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word, '']));
}
