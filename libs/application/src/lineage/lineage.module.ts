import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { ForkContextHandler } from './fork-context.handler.js';
import { ListCheckpointsHandler } from './list-checkpoints.handler.js';
import { RestoreContextHandler } from './restore-context.handler.js';

@Module({
  imports: [ReadingModule, RunsModule, WritingModule],
  providers: [ForkContextHandler, RestoreContextHandler, ListCheckpointsHandler],
})
export class LineageModule {}
