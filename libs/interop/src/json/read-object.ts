import { type NamedText, type ReadingOptions } from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { JsonPart } from './json-part.js';
import { JsonText } from './json-text.js';

/** Reads the only document, which must be a JSON object. Throws DocumentError for any other input. */
export function readObject(
  documents: readonly NamedText[],
  { firstLine }: ReadingOptions,
): Readonly<{ source: JsonText; root: JsonPart }> {
  const [document, other] = documents;
  if (!document) throw new Error('no document to read');
  if (other)
    throw new DocumentError(
      { document: other.name, line: 1, pointer: '' },
      'each of these documents is a separate context: import them one by one',
    );
  const source = new JsonText(document, firstLine);
  const root = new JsonPart(source);
  if (!root.isObject) throw new DocumentError(root.place, 'expected an object, in braces');
  return { source, root };
}
