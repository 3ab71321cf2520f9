import { z } from 'zod';

import { type EmitSignals, type ParsedSignal, clientPayloads, parseSignals } from '#shared-context';

import { type BodyReader, statementBody } from '../http/body.reader.js';
import { invalidInput } from '../problems/problem.error.js';

type StatedSignals = Readonly<{ command: EmitSignals; agentId: string | undefined }>;

/** As many events as one request may store. */
const maxSignals = 500;

const spoken = z.strictObject({ text: z.string() });
const spokenBody = statementBody(spoken);
const stated = clientPayloads.SignalEmitted;
const statedBody = statementBody(stated);
/** The members of both forms: if a body has neither `text` nor `signal`, the fault of an unknown member lists them all. */
const any = z.unknown().optional();
const either = z.strictObject({ text: any, signal: any, subject: any, detail: any });
const eitherBody = statementBody(either);

/** Text of an agent, which is searched for signals, or one signal. */
export const signalsBody: BodyReader<StatedSignals> = {
  optional: false,
  schema: z.union([spoken, stated]),
  stated: true,
  fromPath: [],
  read: (body, params) => {
    if (!Object.hasOwn(body ?? {}, 'text')) {
      if (!Object.hasOwn(body ?? {}, 'signal')) eitherBody.read(body, params);
      const { data, visibility, agentId } = statedBody.read(body, params);
      return { command: emitting([data], visibility), agentId };
    }
    const { data, visibility, agentId } = spokenBody.read(body, params);
    return { command: emitting(signalsIn(data.text), visibility), agentId };
  },
};

function emitting(
  signals: readonly ParsedSignal[],
  visibility: EmitSignals['visibility'],
): EmitSignals {
  return { type: 'EmitSignals', data: { signals }, visibility };
}

function signalsIn(text: string): readonly ParsedSignal[] {
  const signals = parseSignals(text);
  if (signals.length > maxSignals)
    throw invalidInput([
      { pointer: '/text', detail: `holds more than ${maxSignals} signals: send it in parts` },
    ]);
  return signals;
}
