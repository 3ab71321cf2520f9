import { z } from 'zod';

import { type EmitSignals, type ParsedSignal, clientPayloads, parseSignals } from '#shared-context';

import { type BodyReader, statementBody } from '../http/body.reader.js';
import { invalidInput } from '../problems/problem.error.js';

type SignalsStatement = Readonly<{ command: EmitSignals; agentId: string | undefined }>;

/** The maximum number of events of one request. */
const maxSignals = 500;

const textSchema = z.strictObject({ text: z.string() });
const textBody = statementBody(textSchema);
const signalSchema = clientPayloads.SignalEmitted;
const signalBody = statementBody(signalSchema);
/** The members of both forms. Parses a body without `text` and `signal`, so that the fault of an unknown member lists all of them. */
const any = z.unknown().optional();
const either = z.strictObject({ text: any, signal: any, subject: any, detail: any });
const eitherBody = statementBody(either);

/** Either one signal, or the text of an agent, which is searched for signals. */
export const signalsBody: BodyReader<SignalsStatement> = {
  optional: false,
  schema: z.union([textSchema, signalSchema]),
  isStatement: true,
  fromPath: [],
  read: (body, params) => {
    if (!Object.hasOwn(body ?? {}, 'text')) {
      if (!Object.hasOwn(body ?? {}, 'signal')) eitherBody.read(body, params);
      const { data, visibility, agentId } = signalBody.read(body, params);
      return { command: emitting([data], visibility), agentId };
    }
    const { data, visibility, agentId } = textBody.read(body, params);
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
      { pointer: '/text', detail: `contains more than ${maxSignals} signals: send it in parts` },
    ]);
  return signals;
}
