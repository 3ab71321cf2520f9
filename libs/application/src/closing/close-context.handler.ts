import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { isShown, refOf } from '#context-views';
import { type Selection } from '#read-models';
import { openItems, openKinds } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { GatedReader } from '../audiences/gated-reader.js';
import { readable } from '../reading/reachable-context.js';
import { type WriteAnswer, WriteContextCommand } from '../writing/write-context.command.js';
import {
  type CloseContextAnswer,
  CloseContextCommand,
  type StillOpen,
} from './close-context.command.js';

/** The most that a closing lists; the others are counted. */
export const mostOpenListed = 100;

@CommandHandler(CloseContextCommand)
export class CloseContextHandler implements ICommandHandler<CloseContextCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly audiences: Audiences,
    private readonly gated: GatedReader,
  ) {}

  async execute({ request }: CloseContextCommand): Promise<CloseContextAnswer> {
    const { data, visibility, ...facts } = request;
    const commands = [{ type: 'CloseContext', data, visibility } as const];
    const write = await this.commands.execute(new WriteContextCommand({ ...facts, commands }));
    return { write, stillOpen: await this.#stillOpen(request.principal, write) };
  }

  /** As of the version that the write answers, so that a repeated request is answered the same. */
  async #stillOpen(principal: Principal, { contextId, version }: WriteAnswer): Promise<StillOpen> {
    const sight = await this.audiences.open(principal);
    // A key without an audience sees nothing.
    if ('refusal' in sight) return { open: [] };
    const { gate } = sight;
    const asked = { id: { workspace: principal.workspace, contextId }, gate, version };
    const { state } = await readable(() => this.gated.read(asked, selectionFor(gate)));
    const open = openItems(state.values()).filter((item) => !gate || isShown(gate, item));
    const listed = open
      .slice(0, mostOpenListed)
      .map((item) => ({ kind: item.kind, ref: refOf(item) }));
    return open.length > listed.length
      ? { open: listed, openTotal: open.length }
      : { open: listed };
  }
}

/** What an audience sees of an item may depend on its payload. */
function selectionFor(gate: unknown): Selection {
  return gate ? { kinds: openKinds } : { kinds: openKinds, bodies: 'none' };
}
