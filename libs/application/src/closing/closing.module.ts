import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { CloseContextHandler } from './close-context.handler.js';
import { StillOpenReader } from './still-open-reader.js';

@Module({
  imports: [AudiencesModule, ReadingModule, RunsModule, WritingModule],
  providers: [StillOpenReader, CloseContextHandler],
})
export class ClosingModule {}
