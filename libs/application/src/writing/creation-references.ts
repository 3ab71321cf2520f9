import { Injectable } from '@nestjs/common';

import { CarriedHandovers } from './carried-handovers.js';
import { NamedParent } from './named-parent.js';
import { type WriteRequest } from './write-context.command.js';

/** The contexts that a new one names: its parent, and the one that it continues. */
@Injectable()
export class CreationReferences {
  constructor(
    private readonly carried: CarriedHandovers,
    private readonly parent: NamedParent,
  ) {}

  async into(request: WriteRequest): Promise<WriteRequest> {
    return this.parent.into(await this.carried.into(request));
  }
}
