export { anthropicSummarizer } from './anthropic-summarizer.js';
export { type ModelService } from './model-service.js';
export { openAiSummarizer } from './openai-summarizer.js';
export { SummarizerError } from './summarizer.error.js';
export type { Summarizer, SummaryAnswer, SummaryEntry, SummaryRequest } from './summarizer.js';
