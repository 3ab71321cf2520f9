export type Terminal = Readonly<{
  /** To stdout, a line at a time. */
  write: (line: string) => void;
  /** To stderr. */
  warn: (line: string) => void;
  /** Shows a line in place of the one shown before; undefined if nobody is watching. */
  show: ((line: string) => void) | undefined;
  /** Takes away what `show` showed. */
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
