import { type z } from 'zod';

import { SummarizerError } from './summarizer.error.js';
import { type SummaryAnswer } from './summarizer.js';

type ModelText = Readonly<{
  text: string;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}>;

/** Reads the text in an answer. Throws SummarizerError if the answer does not follow the protocol or its text is empty. */
export function readText(answer: unknown, protocol: z.ZodType<ModelText>): ModelText {
  const parsed = protocol.safeParse(answer);
  if (!parsed.success)
    throw new SummarizerError('sent an answer that does not follow the protocol', 'garbled');
  if (parsed.data.text.trim() === '')
    throw new SummarizerError('answered with an empty text', 'garbled');
  return parsed.data;
}

/** Adds the token counts: estimated at four characters per token if the service does not report them. */
export function counted(answer: ModelText, sent: string): SummaryAnswer {
  return {
    text: answer.text.trim(),
    inputTokens: answer.inputTokens ?? Math.ceil(sent.length / 4),
    outputTokens: answer.outputTokens ?? Math.ceil(answer.text.length / 4),
  };
}
