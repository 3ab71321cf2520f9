/** An entry of a view to summarize: its ref in the view, and its text. */
export type SummaryEntry = Readonly<{ ref: string; text: string }>;

export type SummaryRequest = Readonly<{
  /** The summary that this one continues; undefined for the first one. */
  previous: string | undefined;
  entries: readonly SummaryEntry[];
  /** Limit of the summary in tokens of its model. */
  maxTokens: number;
  signal: AbortSignal;
}>;

export type SummaryAnswer = Readonly<{ text: string; inputTokens: number; outputTokens: number }>;

/** Writes summaries. Throws SummarizerError, or the signal's reason once that is aborted. */
export type Summarizer = Readonly<{
  /** The protocol of its service. */
  name: string;
  model: string;
  /** SHA-256 of the instructions to the model. */
  promptHash: string;
  summarize: (request: SummaryRequest) => Promise<SummaryAnswer>;
}>;
