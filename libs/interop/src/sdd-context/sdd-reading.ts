import { type JsonDraft } from '../json/json-draft.js';
import { type JsonEntry } from '../json/json-entry.js';

/** The state of reading a context.json. */
export type SddReading = Readonly<{
  draft: JsonDraft;
  /** The whole document. */
  entry: JsonEntry;
  createdAt: string | undefined;
  updatedAt: string | undefined;
}>;

/** The numbers that the history of a context.json explains. */
export type CountedHistory = Readonly<{
  /** How many phases are completed. */
  phases: number;
  /** The number of runs of a phase, from its entry. */
  iterations: Readonly<Record<string, number>>;
  reviews: number;
  approvedReviews: number;
  tasks: number;
}>;
