import { withoutPaint } from './replay/paint.js';
import { printable, printableJson } from './printable.js';
import { type Dialogue, type Terminal } from './terminal.js';

/**
 * Removes control characters from all output, because stored text is untrusted. Only line feeds and, on a color terminal,
 * the color sequences of the program remain.
 */
export function guardTerminal(terminal: Terminal, { json }: Readonly<{ json: boolean }>): Terminal {
  const { progress, openDialogue, colors = false } = terminal;
  const guard = colors ? withoutPaint(printable) : printable;
  return {
    ...terminal,
    write: (text) => terminal.write(json ? printableJson(text) : guard(text)),
    warn: (text) => terminal.warn(printable(text)),
    progress: progress && { ...progress, show: (line) => progress.show(printable(line)) },
    openDialogue: openDialogue && (() => guardDialogue(openDialogue())),
  };
}

function guardDialogue(dialogue: Dialogue): Dialogue {
  return { ...dialogue, ask: (prompt) => dialogue.ask(printable(prompt)) };
}
