import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { ExportDocumentsHandler } from './export-documents.handler.js';
import { ImportAppends } from './import-appends.js';
import { ImportDocumentsHandler } from './import-documents.handler.js';
import { PastDocuments } from './past-documents.js';
import { RegisteredDefinitions } from './registered-definitions.js';

@Module({
  imports: [ReadingModule, WritingModule],
  providers: [
    ImportAppends,
    PastDocuments,
    RegisteredDefinitions,
    ImportDocumentsHandler,
    ExportDocumentsHandler,
  ],
})
export class DocumentExchangeModule {}
