import { type JsonDraft } from '../json/json-draft.js';
import { type JsonEntry } from '../json/json-entry.js';

/** A context.json that is being read. */
export type SddReading = Readonly<{
  draft: JsonDraft;
  /** The whole document. */
  entry: JsonEntry;
  createdAt: string | undefined;
  updatedAt: string | undefined;
}>;

/** What the history of a context.json explains of its figures. */
export type CountedHistory = Readonly<{
  /** How many phases are completed. */
  phases: number;
  /** How often a phase ran, as its entry says. */
  iterations: Readonly<Record<string, number>>;
  reviews: number;
  approvedReviews: number;
  tasks: number;
}>;
