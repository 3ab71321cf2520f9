import { visibleText } from './visible-text.js';

/**
 * Text that an agent wrote: rendered as text only, in isolation from the direction of the text around it. Control characters are shown
 * as their code points.
 */
export function AgentText({ text, block = false }: Readonly<{ text: string; block?: boolean }>) {
  const shown = visibleText(text);
  return block ? (
    <pre className="agent-text">{shown}</pre>
  ) : (
    <bdi className="agent-text">{shown}</bdi>
  );
}
