import { inWords } from '#event-sourcing';

import {
  type AppendLine,
  type DeliveryLine,
  type EffectLine,
  type HistoryLine,
  type ProcessLine,
  type ReadLine,
  type RunLine,
  historyLine,
} from './history.schema.js';

/** The recorded operations of one run, as observed by its clients. */
export type History = Readonly<{
  run: RunLine;
  appends: readonly AppendLine[];
  reads: readonly ReadLine[];
  deliveries: readonly DeliveryLine[];
  processes: readonly ProcessLine[];
  effects: readonly EffectLine[];
  /** False if the recorder ended early: the outcome of running operations is then unknown. */
  ended: boolean;
}>;

/** The text is not a history of this format; the message names the line. */
export class HistoryFormatError extends Error {
  override readonly name = 'HistoryFormatError';
}

/** Parses JSON lines; the first line describes the run. Blank lines are ignored. */
export async function parseHistory(
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<History> {
  const parsed: HistoryLine[] = [];
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() !== '') parsed.push(parseLine(line, number));
  }
  return historyOf(parsed);
}

/** Throws {@link HistoryFormatError} if the first line does not describe the run. */
export function historyOf(lines: readonly HistoryLine[]): History {
  const [run] = lines;
  if (run?.kind !== 'run')
    throw new HistoryFormatError('line 1: the first line of a history must be {"kind":"run",...}');
  const of = <Kind extends HistoryLine['kind']>(kind: Kind) =>
    lines.filter((line): line is Extract<HistoryLine, { kind: Kind }> => line.kind === kind);
  return {
    run,
    appends: of('append'),
    reads: of('read'),
    deliveries: of('delivery'),
    processes: of('process'),
    effects: of('effect'),
    ended: lines.at(-1)?.kind === 'end',
  };
}

function parseLine(line: string, number: number): HistoryLine {
  const parsed = historyLine.safeParse(jsonOf(line, number), inWords);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new HistoryFormatError(
    `line ${number}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not a valid line'}`,
  );
}

function jsonOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new HistoryFormatError(`line ${number}: is not JSON`, { cause });
  }
}
