import { referencedIf, unreferenced } from '../markdown/character-reference.js';
import { escapedText, unescapedText } from '../markdown/escaped-text.js';
import { bodyOf, isPlaceholder } from './prose.js';
import { deepest } from './story-sections.js';

/**
 * A text of the state as the text of a section, so that it begins no section, leaves no code open and is not a
 * placeholder.
 */
export function printedBody(text: string): string {
  const body = bodyOf(text);
  const isNothing = body !== '' && isPlaceholder(body);
  return referencedIf(
    isNothing,
    escapedText(body, ({ level }) => level <= deepest),
  );
}

/** Reverses {@link printedBody}; removes the escapes at the beginnings of lines from any other text. */
export function readBody(text: string): string {
  return unescapedText(unreferenced(bodyOf(text)));
}
