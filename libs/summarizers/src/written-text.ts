import { type z } from 'zod';

import { SummarizerError } from './summarizer.error.js';
import { type SummaryAnswer } from './summarizer.js';

type AnsweredText = Readonly<{
  text: string;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}>;

/** What an answer of a protocol says: that it is none, or without a word, is a fault of the service. */
export function saidIn(answer: unknown, protocol: z.ZodType<AnsweredText>): AnsweredText {
  const said = protocol.safeParse(answer);
  if (!said.success) throw new SummarizerError('answered something else than a text', 'garbled');
  if (said.data.text.trim() === '') throw new SummarizerError('answered no text', 'garbled');
  return said.data;
}

/** Services that count nothing are taken at four characters a token. */
export function counted(said: AnsweredText, sent: string): SummaryAnswer {
  return {
    text: said.text.trim(),
    inputTokens: said.inputTokens ?? Math.ceil(sent.length / 4),
    outputTokens: said.outputTokens ?? Math.ceil(said.text.length / 4),
  };
}
