import { type DocumentFormat, DocumentError, documentFormats } from '#interop';

import { InvalidInputError } from '../errors.js';

const byName = new Map(documentFormats.map((format) => [format.name, format]));

export function findFormat(name: string): DocumentFormat {
  const format = byName.get(name);
  if (!format) throw new Error(`no format "${name}"`);
  return format;
}

/** Reports a document that cannot be read as invalid input, with its name and line. */
export function orInvalid<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { place, message } = error;
    throw new InvalidInputError([{ pointer: place.pointer, detail: message }]);
  }
}
