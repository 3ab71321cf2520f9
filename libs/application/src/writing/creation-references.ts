import { Injectable } from '@nestjs/common';

import { CarriedHandovers } from './carried-handovers.js';
import { NamedParent } from './named-parent.js';
import { type WriteRequest } from './write-context.command.js';

/** Resolves the contexts that a creation names: the parent, and the context that the new one continues. */
@Injectable()
export class CreationReferences {
  constructor(
    private readonly carried: CarriedHandovers,
    private readonly parent: NamedParent,
  ) {}

  async resolve(request: WriteRequest): Promise<WriteRequest> {
    return this.parent.resolve(await this.carried.resolve(request));
  }
}
