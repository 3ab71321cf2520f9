import { Injectable } from '@nestjs/common';

import { type Gate, type ReceiptFacts, isShown } from '#context-views';
import { type ContextCommand, RuleViolationError } from '#shared-context';

import { Audiences } from '../audiences/audiences.js';
import { GatedReader } from '../audiences/gated-reader.js';
import { InvalidInputError } from '../errors.js';
import { Citations } from '../receipts/citations.js';
import { CarriedHandovers } from './carried-handovers.js';
import { type WriteRequest } from './write-context.command.js';

/** What the commands of a write name beyond themselves. */
@Injectable()
export class WriteReferences {
  constructor(
    private readonly carried: CarriedHandovers,
    private readonly audiences: Audiences,
    private readonly gated: GatedReader,
    private readonly citations: Citations,
  ) {}

  /** What the write says it is based on; throws InvalidReceiptError where that is none of this server's receipts. */
  cited(request: WriteRequest): ReceiptFacts | undefined {
    return this.citations.open(request);
  }

  /** With what they take over; what stands in the way is refused in its turn. What they cite is kept. */
  async into(request: WriteRequest, cited: ReceiptFacts | undefined): Promise<WriteRequest> {
    if (cited) await this.citations.keep(cited, request);
    const refusal = request.refusal ?? (await this.#unseenDecision(request));
    return this.carried.into(refusal === undefined ? request : { ...request, refusal });
  }

  /**
   * A decision that the writer does not see is none to it: what supersedes one inherits its topic, which would tell.
   * Those of the same write are its own.
   */
  async #unseenDecision({ principal, contextId, commands, batch }: WriteRequest): Promise<unknown> {
    const replaced = commands.flatMap((command, at) => replacedBy(command, commands, at));
    if (replaced.length === 0) return undefined;
    const sight = await this.audiences.open(principal);
    const gate = 'gate' in sight ? sight.gate : undefined;
    if (!gate) return undefined;
    const id = { workspace: principal.workspace, contextId };
    for (const { decisionId, at } of replaced)
      if (!(await this.#sees(gate, id, decisionId))) return notHere(batch ? at : undefined);
    return undefined;
  }

  async #sees(
    gate: Gate,
    id: Readonly<{ workspace: string; contextId: string }>,
    key: string,
  ): Promise<boolean> {
    const selection = { keys: [{ kind: 'decision', key } as const], bodies: false };
    const { state } = await this.gated.read({ id, gate }, selection);
    const item = state.get('decision', key);
    return item !== undefined && isShown(gate, item);
  }
}

type Replaced = Readonly<{ decisionId: string; at: number }>;

function replacedBy(
  command: ContextCommand,
  all: readonly ContextCommand[],
  at: number,
): readonly Replaced[] {
  if (command.type !== 'RecordDecision' || command.data.supersedes === undefined) return [];
  const decisionId = command.data.supersedes;
  const isOwn = all
    .slice(0, at)
    .some((earlier) => earlier.type === 'RecordDecision' && earlier.data.decisionId === decisionId);
  return isOwn ? [] : [{ decisionId, at }];
}

function notHere(at: number | undefined): Error {
  const detail = 'names no decision of this context';
  if (at === undefined) return new RuleViolationError('/supersedes', detail);
  return new InvalidInputError([{ pointer: `/events/${at}/data/supersedes`, detail }]);
}
