import { z } from 'zod';

import { RefusedCallError } from './model-refusal.js';
import { type ModelService, callModel } from './model-service.js';
import { type Summarizer, type SummaryRequest } from './summarizer.js';
import { summaryInstructions, summaryMaterial, summaryPromptHash } from './summary-prompt.js';
import { counted, saidIn } from './written-text.js';

const count = z.int().min(0).nullish();
const completion = z
  .object({
    choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
    usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
  })
  .transform(({ choices, usage }) => ({
    text: choices[0]?.message.content ?? '',
    inputTokens: usage?.prompt_tokens ?? undefined,
    outputTokens: usage?.completion_tokens ?? undefined,
  }));

/** Some models take their limit by this name only, and count what they think before they write. */
const thinking = { limit: 'max_completion_tokens', times: 4 } as const;
const plain = { limit: 'max_tokens', times: 1 } as const;

/** Speaks `POST <base>/chat/completions`, as OpenAI and many others serve it. */
export function openAiSummarizer(service: ModelService): Summarizer {
  let form: typeof plain | typeof thinking = plain;
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
        return counted(saidIn(await ask(material, request), completion), material);
      } catch (error) {
        if (form === thinking || !refusesLimit(error)) throw error;
        form = thinking;
        return counted(saidIn(await ask(material, request), completion), material);
      }
    },
  };
}

function refusesLimit(error: unknown): boolean {
  return error instanceof RefusedCallError && error.status === 400 && error.param === plain.limit;
}
