export { anthropicSummarizer } from './anthropic-summarizer.js';
export { openAiSummarizer } from './openai-summarizer.js';
export { SummarizerError } from './summarizer.error.js';
export type { Summarizer, SummaryAnswer, SummaryEntry } from './summarizer.js';
