import { ExportDocumentsHandler } from './export-documents.handler.js';
import { ImportAppends } from './import-appends.js';
import { ImportDocumentsHandler } from './import-documents.handler.js';
import { PastDocuments } from './past-documents.js';
import { RegisteredDefinitions } from './registered-definitions.js';

/** What takes documents in as contexts, and gives contexts back as documents. */
export const interchange = [
  ImportAppends,
  PastDocuments,
  RegisteredDefinitions,
  ImportDocumentsHandler,
  ExportDocumentsHandler,
];
