/** Invisible and bidirectional control characters, which could make text look like something else. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A block with less text fits into its frame, also on a narrow screen. */
const maxUnscrolled = { characters: 500, lines: 12 };

/**
 * Text that an agent wrote: rendered as text only, in isolation from the direction of the text around it. Control characters are shown
 * as their code points.
 */
export function AgentText({ text, block = false }: Readonly<{ text: string; block?: boolean }>) {
  const shown = text.replace(hidden, (character) => `\u27e8U+${codeOf(character)}\u27e9`);
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

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
