import { type CliCommand } from './command.js';

/** A section of the help: the first words of its commands, each with the description of its group. */
type Area = Readonly<{ title: string; words: Readonly<Record<string, string>> }>;

/** In the order of the help and of docs/cli.md. */
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
  { title: 'Reading', words: single('view', 'prompt', 'receipt') },
  {
    title: 'Writing',
    words: {
      step: 'Start, complete and fail steps',
      output: 'Outputs of steps',
      decision: 'Decisions and their rationale',
      artifact: 'Files and documents',
      record: 'Sections of the story',
      review: 'Reviews',
      issue: 'Issues found in reviews',
      signal: 'Signals by which agents report the end of phases',
      preferences: 'User preferences of a context',
      global: 'Facts about the whole context',
    },
  },
  {
    title: 'Plans',
    words: {
      task: 'Tasks and their status',
      phase: 'Phases of the work',
      iteration: 'Iterations of loops',
      breaker: 'Limits of loops',
      requirement: 'Requirements',
      risk: 'Risks',
      blocker: 'Blockers',
      dependency: 'Dependencies of the work',
    },
  },
  {
    title: 'Between agents',
    words: {
      handover: 'Handovers between agents',
      input: 'Input requests between agents',
      ...single('inbox'),
    },
  },
  {
    title: 'Workflows and runs',
    words: {
      workflow: 'Definitions of workflows',
      ...single('run'),
      approval: 'Approvals that runs wait for',
      ...single('work'),
    },
  },
  {
    title: 'The workspace',
    words: {
      agent: 'Agents and their contracts',
      transformation: 'Rules that derive values from other values',
      policy: 'Visibility policies of audiences',
      settings: 'Defaults of the workspace',
      key: 'API keys',
      ...single('me', 'mcp', 'init'),
    },
  },
  {
    title: 'The server',
    words: {
      ...single('start', 'projector'),
      projection: 'Read models: status and rebuilds',
      job: 'Rebuild jobs and their progress',
      'dead-letter': 'Events that could not be applied to the read models',
      epoch: 'The epoch of the store: runs of an earlier epoch wait for a person',
      ...single('migrate', 'backup', 'restore'),
      store: 'Copy streams between stores',
      ...single('audit'),
    },
  },
];

/** Returns the description of a group of commands, or its name if it has none. */
export function describeGroup(word: string): string {
  return areas.find(({ words }) => Object.hasOwn(words, word))?.words[word] || word;
}

/** Renders all commands by area on one screen: `context create, list, show · replay · diff`. */
export function renderAreas(commands: readonly CliCommand[], width: number): string {
  return areas
    .map(({ title, words }) => {
      const groups = Object.keys(words).map((word) => groupText(word, commands));
      return [title, ...wrap(groups, width)].join('\n  ');
    })
    .join('\n');
}

const separator = ' · ';

/** The word alone if it is a command, and the word with the verbs of its group. */
function groupText(word: string, commands: readonly CliCommand[]): string {
  const names = commands.map(({ name }) => name);
  const verbs = names.filter((name) => name.startsWith(`${word} `));
  const listed = verbs.map((name) => name.slice(word.length + 1)).join(', ');
  return [names.includes(word) ? [word] : [], listed === '' ? [] : [`${word} ${listed}`]]
    .flat()
    .join(separator);
}

/** Lines of at most `width` characters, broken between groups; a longer group has a separate line. */
function wrap(groups: readonly string[], width: number): readonly string[] {
  return groups.reduce<readonly string[]>((lines, group) => {
    const last = lines.at(-1);
    const joined = last === undefined ? group : `${last}${separator}${group}`;
    return last === undefined || joined.length > width
      ? [...lines, group]
      : [...lines.slice(0, -1), joined];
  }, []);
}

/** Words that are commands themselves and need no description of a group. */
function single(...words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word, '']));
}
