/** Invisible and bidirectional control characters, which could make text look like something else. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text with its control characters as code points. For places that take text only, such as an option; otherwise use `AgentText`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\u27e8U+${codeOf(character)}\u27e9`);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
