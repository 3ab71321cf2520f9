import { z } from 'zod';

import {
  type ChainBreak,
  type ChainEnd,
  type Sha256,
  checkChain,
  inWords,
  openEnvelope,
} from '#event-sourcing';

import {
  type ExportSignature,
  type ExportTrailer,
  type ExportedEvent,
  EventsJsonlError,
  eventLine,
  failureLine,
  headerLine,
  signatureLine,
  trailerLine,
} from './events-jsonl.js';
import { memberTexts } from './member-texts.js';

const broken: Readonly<Record<ChainBreak['reason'], readonly [pointer: string, detail: string]>> = {
  gap: ['/version', 'does not follow the version of the event before it'],
  'unreadable-envelope': ['/metadata', 'is not an envelope that this release reads'],
  'wrong-previous-hash': ['/metadata/previousHash', 'is not the hash of the event before it'],
  'wrong-hash': [
    '/metadata/hash',
    'does not match the event: it was changed, or belongs to another context',
  ],
};

/** An event of the file with its line; the hash chain is valid up to this event. */
export type ReadEvent = Readonly<{ event: ExportedEvent; line: number; hash: string }>;

/** A signature of the event before it. The importer must verify the key and the signature. */
export type ReadSignature = Readonly<{ signature: ExportSignature; line: number }>;

/**
 * Reads a file line by line and checks its format, its order, and the hash chain of every context from its first event
 * in the file. The file is complete only after {@link finish} has returned.
 */
export class EventsJsonlReader {
  #line = 0;
  #state: 'nothing' | 'header' | 'trailer' = 'nothing';
  #contexts = 0;
  #events = 0;
  #owner = '';
  #end: ChainEnd = { version: 0, hash: null };
  #isAfterEvent = false;

  constructor(private readonly sha256: Sha256) {}

  /** Returns the content of a line; undefined for header, trailer and empty lines. Throws {@link EventsJsonlError}. */
  take(text: string): ReadEvent | ReadSignature | undefined {
    this.#line++;
    if (text.trim() === '') return undefined;
    const value = this.#parse(text);
    if (this.#state === 'trailer') throw this.#error('', 'is after the closing line');
    if (this.#state === 'nothing') {
      this.#check(headerLine, value);
      this.#state = 'header';
      return undefined;
    }
    if ('end' in value) return this.#takeTrailer(value);
    if ('failed' in value) return this.#takeFailure(value);
    if ('signature' in value) return this.#takeSignature(value);
    return this.#takeEvent(text, value);
  }

  /** Returns the totals of the file; throws if it is cut off. */
  finish(): ExportTrailer {
    if (this.#state !== 'trailer')
      throw new EventsJsonlError(
        this.#line + 1,
        '',
        'the closing line is missing: the file is cut off',
      );
    return { contexts: this.#contexts, events: this.#events, lastHash: this.#end.hash };
  }

  #takeEvent(text: string, value: object): ReadEvent {
    const { workspace, contextId, version, eventId, type, ...rest } = this.#check(eventLine, value);
    const members = memberTexts(text);
    const data = members.has('data') ? members.get('data') : rest.dataText;
    if (data === undefined) throw this.#error('/data', 'is missing');
    const metadata = members.get('metadata') ?? '';
    const event = { workspace, contextId, version, eventId, type, data, metadata };
    return { event, line: this.#line, hash: this.#follow(event) };
  }

  #takeSignature(value: object): ReadSignature {
    const { signature } = this.#check(signatureLine, value);
    const { workspace, contextId, version, hash } = signature;
    const { version: last, hash: lastHash } = this.#end;
    if (!this.#isAfterEvent) throw this.#error('/signature', 'does not follow an event');
    this.#isAfterEvent = false;
    if (`${workspace}:${contextId}` !== this.#owner || version !== last || hash !== lastHash)
      throw this.#error('/signature', 'belongs to another event than the one before it');
    return { signature, line: this.#line };
  }

  #follow(event: ExportedEvent): string {
    const { workspace, contextId: context } = event;
    const owner = `${workspace}:${context}`;
    if (owner !== this.#owner) this.#begin(owner, event);
    const { end, broken: found } = checkChain(
      [event],
      this.#end,
      { workspace, context },
      this.sha256,
    );
    if (found) throw this.#broken(found.reason, event);
    this.#end = end;
    this.#isAfterEvent = true;
    this.#events++;
    return end.hash ?? '';
  }

  /** The importer must compare the events before the first one in the file with its store. */
  #begin(owner: string, event: ExportedEvent): void {
    this.#owner = owner;
    this.#contexts++;
    try {
      this.#end = { version: event.version - 1, hash: openEnvelope(event.metadata).previousHash };
    } catch {
      throw this.#broken('unreadable-envelope', event);
    }
    if (event.version === 1 && this.#end.hash !== null)
      throw this.#broken('wrong-previous-hash', event);
  }

  #broken(reason: ChainBreak['reason'], { metadata }: ExportedEvent): EventsJsonlError {
    const [pointer, detail] = broken[reason];
    const fault = reason === 'unreadable-envelope' ? faultInEnvelope(metadata) : undefined;
    return this.#error(fault ? `/metadata${fault.pointer}` : pointer, fault?.detail ?? detail);
  }

  #takeTrailer(value: object): undefined {
    const { end } = this.#check(trailerLine, value);
    this.#state = 'trailer';
    for (const [member, counted] of Object.entries(this.finish()))
      if (new Map<string, unknown>(Object.entries(end)).get(member) !== counted)
        throw this.#error(
          `/end/${member}`,
          `does not match the lines before it: expected ${counted}`,
        );
    return undefined;
  }

  #takeFailure(value: object): never {
    const { failed } = this.#check(failureLine, value);
    const { contextId, version, reason } = failed;
    throw this.#error(
      '/failed',
      `the export stopped: version ${version} of "${contextId}" is broken (${reason})`,
    );
  }

  #parse(text: string): object {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#error('', 'is not JSON');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.#error('', 'must be an object');
    return value;
  }

  #check<Schema extends z.ZodType>(schema: Schema, value: object): z.output<Schema> {
    const parsed = schema.safeParse(value, inWords);
    if (parsed.success) return parsed.data;
    const { pointer, detail } = faultOf(parsed.error);
    throw this.#error(pointer, detail);
  }

  #error(pointer: string, detail: string): EventsJsonlError {
    return new EventsJsonlError(this.#line, pointer, detail);
  }
}

function faultOf({ issues: [issue] }: z.ZodError): { pointer: string; detail: string } {
  if (!issue) return { pointer: '', detail: 'is invalid' };
  if (issue.code !== 'unrecognized_keys')
    return { pointer: pointerOf(issue.path), detail: issue.message };
  const [extra = ''] = issue.keys;
  return {
    pointer: pointerOf([...issue.path, extra]),
    detail: 'is not a member of this line: remove it',
  };
}

function faultInEnvelope(metadata: string): ReturnType<typeof faultOf> | undefined {
  try {
    openEnvelope(metadata);
  } catch (error) {
    if (error instanceof z.ZodError) return faultOf(error);
  }
  return undefined;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
