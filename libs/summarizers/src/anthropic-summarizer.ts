import { z } from 'zod';

import { type ModelService, callModel } from './model-service.js';
import { type Summarizer } from './summarizer.js';
import { summaryInstructions, summaryMaterial, summaryPromptHash } from './summary-prompt.js';
import { counted, readText } from './model-text.js';

const messageSchema = z
  .object({
    content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
    usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }).nullish(),
  })
  .transform(({ content, usage }) => ({
    text: content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join(''),
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
  }));

/** Calls `POST <base>/v1/messages`, the protocol of Anthropic. */
export function anthropicSummarizer(service: ModelService): Summarizer {
  return {
    name: 'anthropic',
    model: service.model,
    promptHash: summaryPromptHash,
    summarize: async (request) => {
      const material = summaryMaterial(request);
      const answer = await callModel(service, {
        path: '/v1/messages',
        headers: {
          'anthropic-version': '2023-06-01',
          ...(service.key !== undefined && { 'x-api-key': service.key }),
        },
        body: {
          model: service.model,
          max_tokens: request.maxTokens,
          system: summaryInstructions,
          messages: [{ role: 'user', content: material }],
        },
        signal: request.signal,
      });
      return counted(readText(answer, messageSchema), material);
    },
  };
}
