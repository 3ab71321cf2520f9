import { z } from 'zod';

import { RefusedCallError } from './model-refusal.js';
import { type ModelService, callModel } from './model-service.js';
import { type Summarizer, type SummaryRequest } from './summarizer.js';
import { summaryInstructions, summaryMaterial, summaryPromptHash } from './summary-prompt.js';
import { counted, readText } from './model-text.js';

const count = z.int().min(0).nullish();
const completionSchema = z
  .object({
    choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
    usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
  })
  .transform(({ choices, usage }) => ({
    text: choices[0]?.message.content ?? '',
    inputTokens: usage?.prompt_tokens ?? undefined,
    outputTokens: usage?.completion_tokens ?? undefined,
  }));

/** Reasoning models accept their limit by this name only, and count the tokens of their reasoning too. */
const reasoning = { limit: 'max_completion_tokens', times: 4 } as const;
const plain = { limit: 'max_tokens', times: 1 } as const;

/** Calls `POST <base>/chat/completions`, the protocol of OpenAI that many other services offer too. */
export function openAiSummarizer(service: ModelService): Summarizer {
  let form: typeof plain | typeof reasoning = plain;
  const ask = (material: string, { maxTokens, signal }: SummaryRequest) =>
    callModel(service, {
      path: '/chat/completions',
      headers: service.key === undefined ? {} : { authorization: `Bearer ${service.key}` },
      body: {
        model: service.model,
        [form.limit]: maxTokens * form.times,
        messages: [
          { role: 'system', content: summaryInstructions },
          { role: 'user', content: material },
        ],
      },
      signal,
    });
  return {
    name: 'openai',
    model: service.model,
    promptHash: summaryPromptHash,
    summarize: async (request) => {
      const material = summaryMaterial(request);
      try {
        return counted(readText(await ask(material, request), completionSchema), material);
      } catch (error) {
        if (form === reasoning || !refusesLimit(error)) throw error;
        form = reasoning;
        return counted(readText(await ask(material, request), completionSchema), material);
      }
    },
  };
}

function refusesLimit(error: unknown): boolean {
  return error instanceof RefusedCallError && error.status === 400 && error.param === plain.limit;
}
