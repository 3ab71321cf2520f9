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
  gap: ['/version', 'is not the version behind the event before it'],
  'unreadable-envelope': ['/metadata', 'is no envelope this release reads'],
  'wrong-previous-hash': ['/metadata/previousHash', 'is not the hash of the event before it'],
  'wrong-hash': [
    '/metadata/hash',
    'does not fit the event: it was changed, or is of another context',
  ],
};

/** An event of the file, its chain whole so far, and where it stands. */
export type ReadEvent = Readonly<{ event: ExportedEvent; line: number; hash: string }>;

/** A signature of the event before it. Whose key it is, and whether it fits, is for the importer to verify. */
export type ReadSignature = Readonly<{ signature: ExportSignature; line: number }>;

/**
 * Reads a file line by line and checks it as it goes: form, order, and the hash chain of every context from its first
 * event in the file on. Nothing is known to be whole before {@link finish} has answered.
 */
export class EventsJsonlReader {
  #line = 0;
  #seen: 'nothing' | 'header' | 'trailer' = 'nothing';
  #contexts = 0;
  #events = 0;
  #owner = '';
  #end: ChainEnd = { version: 0, hash: null };
  #isBehindEvent = false;

  constructor(private readonly sha256: Sha256) {}

  /** What the line holds; undefined for header, trailer and empty lines. Throws {@link EventsJsonlError}. */
  take(text: string): ReadEvent | ReadSignature | undefined {
    this.#line++;
    if (text.trim() === '') return undefined;
    const value = this.#parse(text);
    if (this.#seen === 'trailer') throw this.#error('', 'stands behind the closing line');
    if (this.#seen === 'nothing') {
      this.#check(headerLine, value);
      this.#seen = 'header';
      return undefined;
    }
    if ('end' in value) return this.#takeTrailer(value);
    if ('failed' in value) return this.#takeFailure(value);
    if ('signature' in value) return this.#takeSignature(value);
    return this.#takeEvent(text, value);
  }

  /** What the file holds; throws where it was cut off. */
  finish(): ExportTrailer {
    if (this.#seen !== 'trailer')
      throw new EventsJsonlError(
        this.#line + 1,
        '',
        'the closing line is missing: the file was cut off',
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
    if (!this.#isBehindEvent) throw this.#error('/signature', 'does not follow an event');
    this.#isBehindEvent = false;
    if (`${workspace}:${contextId}` !== this.#owner || version !== last || hash !== lastHash)
      throw this.#error('/signature', 'is of another event than the one before it');
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
    this.#isBehindEvent = true;
    this.#events++;
    return end.hash ?? '';
  }

  /** What lies before the first event in the file is for the importer to compare with its store. */
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
    this.#seen = 'trailer';
    for (const [member, counted] of Object.entries(this.finish()))
      if (new Map<string, unknown>(Object.entries(end)).get(member) !== counted)
        throw this.#error(`/end/${member}`, `is not what the lines before it come to: ${counted}`);
    return undefined;
  }

  #takeFailure(value: object): never {
    const { failed } = this.#check(failureLine, value);
    const { contextId, version, reason } = failed;
    throw this.#error(
      '/failed',
      `the export broke off: version ${version} of "${contextId}" is broken there (${reason})`,
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
  if (!issue) return { pointer: '', detail: 'is wrong' };
  if (issue.code !== 'unrecognized_keys')
    return { pointer: pointerOf(issue.path), detail: issue.message };
  const [extra = ''] = issue.keys;
  return {
    pointer: pointerOf([...issue.path, extra]),
    detail: 'is no member of this line: leave it out',
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
