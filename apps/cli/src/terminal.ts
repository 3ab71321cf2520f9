import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const clearLine = '\r\u001b[2K';
const narrowest = 20;

export type Terminal = Readonly<{
  /** Writes the answer to stdout. */
  write: (text: string) => void;
  /** Writes messages about the answer to stderr. */
  warn: (text: string) => void;
  readInput: () => Promise<string>;
  /** Whether stdout is a terminal. */
  isTerminal?: boolean;
  /** Whether output may be colored. */
  colors?: boolean;
  /** Replaces the last line on stderr; undefined if stderr is not a terminal. */
  progress?: Progress | undefined;
  /** Defined if stdin and stdout are terminals. */
  openDialogue?: (() => Dialogue) | undefined;
}>;

export type Progress = Readonly<{ show: (line: string) => void; clear: () => void }>;

/** `ask` shows a prompt and returns the typed line; undefined at the end of input or on Ctrl-C. */
export type Dialogue = Readonly<{
  ask: (prompt: string) => Promise<string | undefined>;
  close: () => void;
}>;

/** The streams of this process. It ends without an error if the reader of stdout closes it (`| head`). */
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
    colors: process.stdout.isTTY && !process.env['NO_COLOR'],
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
      // Lines that were typed ahead are still returned after the end of input.
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
