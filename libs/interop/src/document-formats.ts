import { type DocumentFormat } from './documents/document-format.js';

/** Formats in which contexts enter and leave as documents, beside their events. */
export const documentFormats: readonly DocumentFormat[] = [];
