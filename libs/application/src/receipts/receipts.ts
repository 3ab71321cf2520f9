import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

import { LRUCache } from 'lru-cache';

import {
  type ReceiptFacts,
  type ReceiptKind,
  type RendererVersions,
  parseReceiptText,
  receiptText,
  rendererVersions,
} from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { sha256 } from '#read-models';
import { type VisibilityFilter, everything } from '#visibility';

import { type Principal } from '../access/principal.js';

/** For whom something was read, and of what: a reachable snapshot, and the principal that asked for it. */
export type ReadBy = Readonly<{
  principal: Pick<Principal, 'agentId'>;
  head: Readonly<{ workspace: string; contextId: string; version: number }>;
  filter: VisibilityFilter | undefined;
  tag: string | null;
}>;

/** What a read showed. `parameters`: all that the text depends on beside the context at its version and the reader. */
type ShownText = Readonly<{ parameters: JsonObject }> &
  (
    | Readonly<{ kind: ReceiptKind; text: string }>
    // A long document is never in memory as one text, and a cached view has its hash.
    | Readonly<{ kind: 'document' | 'view'; hash: string }>
  );

/** What is no receipt of this server's form may be one of another's. */
const ownForm = /^r1\./;
/** Limit of all prompts together and of a single one, in UTF-16 code units. */
const maxCharacters = 16 * 1_048_576;
const longestPrompt = 1_048_576;
/** Never changes: receipts are good for as long as their text is kept. */
const label = 'throughline.receipts.v1';

/**
 * Says what reads have shown: `r1.<facts>.<signature>`, for headers and paths as it is. Signed by a key made of the
 * server's own, so nothing is written on read and yet none can be forged.
 */
export class Receipts {
  readonly #key: KeyObject;
  /** The prompts that were shown last, by hash: a receipt does not state what they were rendered from. */
  readonly #prompts = new LRUCache<string, string>({
    maxSize: maxCharacters,
    maxEntrySize: longestPrompt,
    sizeCalculation: ({ length }) => Math.max(length, 1),
  });

  constructor(
    serverKey: KeyObject,
    private readonly renderers: RendererVersions = rendererVersions,
  ) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', serverKey, '', label, 32)));
  }

  issue({ principal, head, filter, tag }: ReadBy, shown: ShownText): string {
    const { workspace, contextId, version } = head;
    const { kind, parameters } = shown;
    const hash = 'hash' in shown ? shown.hash : hashOfText(shown.text);
    if (kind === 'prompt') this.#prompts.set(hash, shown.text);
    return this.#sign(
      receiptText({
        workspace,
        contextId,
        version,
        kind,
        parameters,
        audience: filter?.reader.audience ?? everything,
        agentId: principal.agentId,
        policy: tag,
        renderer: this.renderers[kind],
        hash,
      }),
    );
  }

  /** What a receipt says; undefined for whatever this server has not signed. */
  open(receipt: string): ReceiptFacts | undefined {
    const [, encoded = ''] = receipt.split('.');
    const text = Buffer.from(encoded, 'base64url').toString();
    // Signed again and compared whole: another spelling of the same facts is none of ours.
    return isSame(receipt, this.#sign(text)) ? parseReceiptText(text) : undefined;
  }

  /** A receipt of this server for another reader who was shown the same. */
  reissue(receipt: string, { agentId }: ReadBy['principal']): string {
    const facts = this.open(receipt);
    if (!facts) throw new Error('only a receipt of this server can be issued again');
    return this.#sign(receiptText({ ...facts, agentId }));
  }

  /** The prompt of a receipt, if this process has shown it recently. */
  recall({ hash }: Pick<ReceiptFacts, 'hash'>): string | undefined {
    return this.#prompts.get(hash);
  }

  /** Whether the text was rendered by the renderer of this version. */
  isOfThisRenderer({ kind, renderer }: ReceiptFacts): boolean {
    return this.renderers[kind] === renderer;
  }

  #sign(text: string): string {
    const signed = `r1.${Buffer.from(text).toString('base64url')}`;
    return `${signed}.${createHmac('sha256', this.#key).update(signed).digest('base64url')}`;
  }
}

/** Whether this server would have written it so: what is not may be another system's, and is kept as it is. */
export function hasReceiptForm(text: string): boolean {
  return ownForm.test(text);
}

/** SHA-256 of the UTF-8 bytes, as receipts state it. */
export function hashOfText(text: string): string {
  return sha256(text);
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
