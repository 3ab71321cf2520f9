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

/** A read: the authorized snapshot, and its principal. */
export type ReceiptSubject = Readonly<{
  principal: Pick<Principal, 'agentId'>;
  head: Readonly<{ workspace: string; contextId: string; version: number }>;
  filter: VisibilityFilter | undefined;
  tag: string | null;
}>;

/**
 * The result of a read. `parameters`: everything on which the text depends, except the context at its version and the
 * reader.
 */
type RenderedText = Readonly<{ parameters: JsonObject }> &
  (
    | Readonly<{ kind: ReceiptKind; text: string }>
    // A large document is never one text in memory, and a cached view has its hash.
    | Readonly<{ kind: 'document' | 'view'; hash: string }>
  );

/** A value in another form may be a receipt of another system. */
const ownForm = /^r1\./;
/** Limits of all cached prompts together and of a single one, in UTF-16 code units. */
const maxCharacters = 16 * 1_048_576;
const longestPrompt = 1_048_576;
/** Must never change: receipts are valid as long as their texts are stored. */
const label = 'throughline.receipts.v1';

/**
 * Issues and opens receipts of reads: `r1.<facts>.<signature>`, in a form for headers and paths. They are signed with a
 * key that is derived from the key of the server, so a read stores nothing and receipts cannot be forged.
 */
export class Receipts {
  readonly #key: KeyObject;
  /** The most recent prompts, by hash: a receipt does not state the input from which they were rendered. */
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

  issue({ principal, head, filter, tag }: ReceiptSubject, shown: RenderedText): string {
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

  /** Parses a receipt; undefined if this server has not signed it. */
  open(receipt: string): ReceiptFacts | undefined {
    const [, encoded = ''] = receipt.split('.');
    const text = Buffer.from(encoded, 'base64url').toString();
    // Comparing the complete text refuses other encodings of the same facts.
    return isSame(receipt, this.#sign(text)) ? parseReceiptText(text) : undefined;
  }

  /** Reissues a receipt of this server for another reader of the same text. */
  reissue(receipt: string, { agentId }: ReceiptSubject['principal']): string {
    const facts = this.open(receipt);
    if (!facts) throw new Error('only a receipt of this server can be issued again');
    return this.#sign(receiptText({ ...facts, agentId }));
  }

  /** The prompt of a receipt, if this process has returned it recently. */
  recall({ hash }: Pick<ReceiptFacts, 'hash'>): string | undefined {
    return this.#prompts.get(hash);
  }

  /** Whether the text was rendered with the current version of its renderer. */
  isOfThisRenderer({ kind, renderer }: ReceiptFacts): boolean {
    return this.renderers[kind] === renderer;
  }

  #sign(text: string): string {
    const signed = `r1.${Buffer.from(text).toString('base64url')}`;
    return `${signed}.${createHmac('sha256', this.#key).update(signed).digest('base64url')}`;
  }
}

/**
 * Whether the text has the form of a receipt of this server. Other texts may belong to other systems, and are stored
 * unchanged.
 */
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
