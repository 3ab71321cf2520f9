import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const clearLine = '\r\u001b[2K';
const narrowest = 20;

export type Terminal = Readonly<{
  /** To stdout: the answer. */
  write: (text: string) => void;
  /** To stderr: everything about the answer. */
  warn: (text: string) => void;
  readInput: () => Promise<string>;
  /** Whether what is written to stdout is shown, and not kept in a file or sent to a program. */
  isTerminal?: boolean;
  /** Whether what is written may be coloured. */
  colours?: boolean;
  /** A line on stderr in place of the one shown before; undefined if nobody is watching. */
  progress?: Progress | undefined;
  /** Where a person sits at both ends. */
  openDialogue?: (() => Dialogue) | undefined;
}>;

export type Progress = Readonly<{ show: (line: string) => void; clear: () => void }>;

/** `ask` shows a prompt and answers the line typed, undefined at the end of input or on Ctrl-C. */
export type Dialogue = Readonly<{
  ask: (prompt: string) => Promise<string | undefined>;
  close: () => void;
}>;

/** The streams of this process; a reader that went away (`| head`) ends it quietly. */
export function processTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return {
    write: (output) => void process.stdout.write(`${output}\n`),
    warn: (output) => void process.stderr.write(`${output}\n`),
    readInput: () => text(process.stdin),
    isTerminal: process.stdout.isTTY,
    colours: process.stdout.isTTY && !process.env['NO_COLOR'],
    progress: process.stderr.isTTY ? processProgress() : undefined,
    openDialogue: process.stdin.isTTY && process.stdout.isTTY ? openDialogue : undefined,
  };
}

function processProgress(): Progress {
  const { stderr } = process;
  const show = (line: string) => {
    stderr.write(`${clearLine}${line.slice(0, Math.max(narrowest, stderr.columns - 1))}`);
  };
  return { show, clear: () => void stderr.write(clearLine) };
}

function openDialogue(): Dialogue {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  reader.once('SIGINT', () => reader.close()).once('close', () => ended.abort());
  const lines = reader[Symbol.asyncIterator]();
  return {
    ask: async (prompt) => {
      // What was typed ahead is still answered after the end of input.
      if (!ended.signal.aborted) {
        reader.setPrompt(prompt);
        reader.prompt();
      }
      const { value, done } = await lines.next();
      return done ? undefined : value;
    },
    close: () => reader.close(),
  };
}
