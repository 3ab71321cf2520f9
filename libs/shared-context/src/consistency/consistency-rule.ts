import { type Finding } from './finding.js';
import { type ContextRecord } from './context-record.js';

/** Returns the violations of one rule in the record of a context. */
export type ConsistencyRule = (record: ContextRecord) => readonly Finding[];
