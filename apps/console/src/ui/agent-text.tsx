import { visibleText } from './visible-text.js';

/** A block with less text fits into its frame, also on a narrow screen. */
const maxUnscrolled = { characters: 500, lines: 12 };

/**
 * Text that an agent wrote: rendered as text only, in isolation from the direction of the text around it. Control characters are shown
 * as their code points.
 */
export function AgentText({ text, block = false }: Readonly<{ text: string; block?: boolean }>) {
  const shown = visibleText(text);
  return block ? (
    <pre className="agent-text" {...(mayScroll(shown) && { tabIndex: 0 })}>
      {shown}
    </pre>
  ) : (
    <bdi className="agent-text">{shown}</bdi>
  );
}

/** A block that may be higher than its frame takes the focus, so that the keyboard scrolls it. */
function mayScroll(text: string): boolean {
  return text.length > maxUnscrolled.characters || text.split('\n').length > maxUnscrolled.lines;
}
