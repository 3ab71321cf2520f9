import { randomUUID } from 'node:crypto';

import shared_pb from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams_pb from '@eventstore/db-client/generated/streams_pb.js';
import type {
  AppendReq,
  BatchAppendReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';

import { type ExpectedRevision } from './append-decision.js';
import { invalidArgument } from './grpc-errors.js';
import { type LogRecord, type NewEvent, type Position } from './log-record.js';

// Conversions between messages on the wire and records of the log.

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const nil = '00000000-0000-0000-0000-000000000000';
const jsonType = 'application/json';

/** Ticks of 100 ns in a millisecond. */
const ticks = 10_000n;

type ExpectedOption = Readonly<{
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}>;

export function toExpected(options: ExpectedOption, revision: string): ExpectedRevision {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : BigInt(revision);
}

/** Throws like the server: without a name, and for the metadata stream of no stream. */
export function toStreamName(identifier: StreamIdentifier | undefined): string {
  const name = Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
  if (name === '' || name === '$$') throw invalidArgument(`Invalid stream name '${name}'.`);
  return name;
}

export function toIdentifier(stream: string): StreamIdentifier {
  const identifier = new shared_pb.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
}

/** Throws like the server: for an invalid or nil UUID, or without a type. */
export function toNewEvent(
  message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage,
): NewEvent {
  const id = toUuidText(message.getId());
  if (id === nil) throw invalidArgument('Empty eventId provided.');
  const type = message.getMetadataMap().get('type');
  if (!type) throw invalidArgument("Required Metadata Property 'type' is missing");
  return {
    id,
    type,
    isJson: message.getMetadataMap().get('content-type') === jsonType,
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** An event with the link that led to it; no event if the target of the link does not exist. */
export type ResolvedRecord = Readonly<{ event?: LogRecord | undefined; link?: LogRecord }>;

export function toReadEvent({ event, link }: ResolvedRecord): ReadResp {
  const read = new streams_pb.ReadResp.ReadEvent();
  if (event) read.setEvent(toRecordedEvent(event));
  if (link) read.setLink(toRecordedEvent(link));
  read.setCommitPosition(String((link ?? event)?.position ?? 0));
  return new streams_pb.ReadResp().setEvent(read);
}

export function toConfirmation(): ReadResp {
  const confirmation = new streams_pb.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(randomUUID());
  return new streams_pb.ReadResp().setConfirmation(confirmation);
}

export function toCheckpoint({ commit, prepare }: Position): ReadResp {
  const checkpoint = new streams_pb.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(commit));
  checkpoint.setPreparePosition(String(prepare));
  return new streams_pb.ReadResp().setCheckpoint(checkpoint);
}

export function toCaughtUp(): ReadResp {
  return new streams_pb.ReadResp().setCaughtUp(new streams_pb.ReadResp.CaughtUp());
}

export function toStreamNotFound(stream: string): ReadResp {
  const notFound = new streams_pb.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(toIdentifier(stream));
  return new streams_pb.ReadResp().setStreamNotFound(notFound);
}

export function toUuid(text: string): UUID {
  return new shared_pb.UUID().setString(text);
}

export function toUuidText(uuid: UUID | undefined): string {
  const structured = uuid?.getStructured();
  const text = structured
    ? fromBits(structured.getMostSignificantBits(), structured.getLeastSignificantBits())
    : (uuid?.getString() ?? '');
  if (!uuidPattern.test(text)) throw invalidArgument(`'${text}' is no UUID.`);
  return text.toLowerCase();
}

function fromBits(most: string, least: string): string {
  const hex = [most, least]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

function toRecordedEvent(record: LogRecord): ReadResp.ReadEvent.RecordedEvent {
  const event = new streams_pb.ReadResp.ReadEvent.RecordedEvent();
  event.setId(toUuid(record.id));
  event.setStreamIdentifier(toIdentifier(record.stream));
  event.setStreamRevision(String(record.revision));
  event.setCommitPosition(String(record.position));
  event.setPreparePosition(String(record.position));
  event.setData(record.data);
  event.setCustomMetadata(record.metadata);
  event
    .getMetadataMap()
    .set('type', record.type)
    .set('created', String(BigInt(record.createdAt) * ticks))
    .set('content-type', record.isJson ? jsonType : 'application/octet-stream');
  return event;
}
