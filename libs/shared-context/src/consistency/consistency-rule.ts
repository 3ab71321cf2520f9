import { type Finding } from './finding.js';
import { type ContextRecord } from './context-record.js';

/** What one rule finds in the record of a context; nothing where the record keeps to it. */
export type ConsistencyRule = (record: ContextRecord) => readonly Finding[];
