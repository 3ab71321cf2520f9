import { type ReactNode } from 'react';

import { DocumentTab } from '../document/document-tab.js';
import { RunTab } from '../runs/run-tab.js';
import { TimelineTab } from '../timeline/timeline-tab.js';
import { type ShownContext } from './shown-context.js';

export type Tab = Readonly<{
  name: string;
  label: string;
  show: (context: ShownContext) => ReactNode;
}>;

/** The tabs of a context in their order; each belongs to one folder of screens. */
export const tabs: readonly Tab[] = [
  { name: 'timeline', label: 'Timeline', show: (context) => <TimelineTab {...context} /> },
  { name: 'document', label: 'Document', show: (context) => <DocumentTab {...context} /> },
  { name: 'run', label: 'Run', show: (context) => <RunTab {...context} /> },
];
