import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { type WriteAnswer, WriteContextCommand } from './write-context.command.js';
import { WriteService } from './write.service.js';

@CommandHandler(WriteContextCommand)
export class WriteContextHandler implements ICommandHandler<WriteContextCommand> {
  constructor(private readonly writes: WriteService) {}

  execute({ request }: WriteContextCommand): Promise<WriteAnswer> {
    return this.writes.write(request);
  }
}
