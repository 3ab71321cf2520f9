import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { type ReceiptFacts } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { documentMembers } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

import { type Principal } from '../access/principal.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { documentSelection, hasFamily } from '../reading/document-members.js';
import { Documents } from '../reading/documents.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';

/** Strict, because an unknown parameter may change the text. */
const documentParameters = z.strictObject({
  asOf: z.string().optional(),
  parts: z.array(z.enum(documentMembers)).optional(),
  /**
   * The number of versions of transformations that the workspace had, if values were derived; older receipts do not
   * state it.
   */
  transformationVersions: z.int().min(0).optional(),
});

/** `filter`: the filter of the original read. `principal`: must be allowed to open the receipt. */
export type ReproductionRequest = Readonly<{
  facts: ReceiptFacts;
  filter: VisibilityFilter | undefined;
  principal: Principal;
}>;

/** Renders a document again at an earlier version, from the parameters in its receipt. */
@Injectable()
export class DocumentReproducer {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
  ) {}

  async render({ facts, filter, principal }: ReproductionRequest): Promise<string | undefined> {
    const { version, policy: tag } = facts;
    const parameters = parseDocumentParameters(facts.parameters);
    if (!parameters) return undefined;
    const { asOf, parts, transformationVersions } = parameters;
    const selection = documentSelection(parts, filter);
    const { contextId } = facts;
    const earlier = { principal, contextId, version, filter };
    const snapshot = { ...(await this.contexts.readEarlier(earlier, selection)), tag };
    const family = hasFamily(parts)
      ? await this.families.of(snapshot, { principal, asOf })
      : undefined;
    const rendering = { family, members: parts, transformationVersions };
    return JSON.stringify((await this.documents.renderMarked(snapshot, rendering)).document);
  }
}

/**
 * Parses the parameters of a receipt; undefined if there are none, or if they are from an incompatible version of
 * Throughline.
 */
export function parseDocumentParameters(
  parameters: JsonObject | null,
): z.output<typeof documentParameters> | undefined {
  return documentParameters.safeParse(parameters).data;
}
