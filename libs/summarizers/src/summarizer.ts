/** Something to be summarized: what a view calls it, and its text. */
export type SummaryEntry = Readonly<{ ref: string; text: string }>;

export type SummaryRequest = Readonly<{
  /** The summary that goes on; undefined for the first one. */
  previous: string | undefined;
  entries: readonly SummaryEntry[];
  /** How long the summary may be, as its model counts. */
  maxTokens: number;
  signal: AbortSignal;
}>;

export type SummaryAnswer = Readonly<{ text: string; inputTokens: number; outputTokens: number }>;

/** Writes summaries. Throws SummarizerError, or the signal's reason once that is aborted. */
export type Summarizer = Readonly<{
  /** The protocol it speaks. */
  name: string;
  model: string;
  /** SHA-256 of what it tells its model to do. */
  promptHash: string;
  summarize: (request: SummaryRequest) => Promise<SummaryAnswer>;
}>;
