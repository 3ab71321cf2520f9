import { referencedIf, unreferenced } from '../markdown/character-reference.js';
import { escapedText, unescapedText } from '../markdown/escaped-text.js';
import { bodyOf, isPlaceholder } from './prose.js';
import { deepest } from './story-sections.js';

/** A text of the state as the text of a section: it begins no section, leaves no code open and is no placeholder. */
export function printedBody(text: string): string {
  const body = bodyOf(text);
  const isNothing = body !== '' && isPlaceholder(body);
  return referencedIf(
    isNothing,
    escapedText(body, ({ level }) => level <= deepest),
  );
}

/** What a text that {@link printedBody} printed says; any other text without the escapes that it has at the beginnings of lines. */
export function readBody(text: string): string {
  return unescapedText(unreferenced(bodyOf(text)));
}
