import { type DocumentPlace } from './document-format.js';

/** The error for a refused document, with the location of the first fault. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    readonly place: DocumentPlace,
    readonly detail: string,
  ) {
    const { document, line, pointer } = place;
    super(`${document}:${line}${pointer === '' ? '' : `, ${pointer}`}: ${detail}`);
  }
}
