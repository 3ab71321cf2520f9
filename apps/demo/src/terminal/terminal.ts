export type Terminal = Readonly<{
  /** Writes a line to stdout. */
  write: (line: string) => void;
  /** Writes a line to stderr. */
  warn: (line: string) => void;
  /** Replaces the line of the last call; undefined if stdout is not a terminal. */
  show: ((line: string) => void) | undefined;
  /** Removes the line of `show`. */
  clear: () => void;
}>;

const clearLine = '\r\u001b[2K';

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  let shown = false;
  const clear = () => {
    if (shown) stdout.write(clearLine);
    shown = false;
  };
  const show = (line: string) => {
    stdout.write(clearLine + line.slice(0, Math.max(20, stdout.columns - 1)));
    shown = true;
  };
  const write = (line: string) => {
    clear();
    stdout.write(`${line}\n`);
  };
  const warn = (line: string) => {
    clear();
    stderr.write(`${line}\n`);
  };
  return { write, warn, show: stdout.isTTY ? show : undefined, clear };
}
