import { text } from 'node:stream/consumers';

export type Terminal = Readonly<{
  /** To stdout: the answer. */
  write: (text: string) => void;
  /** To stderr: everything about the answer. */
  warn: (text: string) => void;
  readInput: () => Promise<string>;
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
  };
}

/** Stored text comes from anyone: nothing in it may steer the terminal. */
export function printable(value: string): string {
  return value.replace(/(?!\n)\p{Cc}/gu, '\u{FFFD}');
}

/** One line of at most `width` characters. */
export function oneLine(value: string, width: number): string {
  const line = printable(value.replace(/\s+/g, ' ').trim());
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
