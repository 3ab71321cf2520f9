import { withoutPaint } from './replay/paint.js';
import { printable, printableJson } from './printable.js';
import { type Dialogue, type Terminal } from './terminal.js';

/**
 * Stored text comes from anyone. Whatever a command writes, nothing in it can steer the terminal: no control character
 * reaches it but line feeds and, if it takes colours, those of the program.
 */
export function guardTerminal(terminal: Terminal, { json }: Readonly<{ json: boolean }>): Terminal {
  const { progress, openDialogue, colours = false } = terminal;
  const guard = colours ? withoutPaint(printable) : printable;
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
