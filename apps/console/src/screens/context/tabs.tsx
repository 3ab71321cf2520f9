import { type ReactNode } from 'react';

import { DecisionsTab } from '../decisions/decisions-tab.js';
import { DiffTab } from '../diff/diff-tab.js';
import { DocumentTab } from '../document/document-tab.js';
import { KnowledgeTab } from '../knowledge/knowledge-tab.js';
import { TimelineTab } from '../timeline/timeline-tab.js';
import { lazyScreen } from '../../ui/lazy-screen.js';
import { ViewTab } from '../view/view-tab.js';
import { type ShownContext } from './shown-context.js';

/** Its graph takes a layout library. */
const RunTab = lazyScreen(async () => (await import('../runs/run-tab.js')).RunTab);

type Tab = Readonly<{
  name: string;
  label: string;
  show: (context: ShownContext) => ReactNode;
}>;

/** The tabs of a context in their order; each belongs to one folder of screens. */
export const tabs: readonly Tab[] = [
  { name: 'timeline', label: 'Timeline', show: (context) => <TimelineTab {...context} /> },
  { name: 'document', label: 'Document', show: (context) => <DocumentTab {...context} /> },
  {
    name: 'decisions',
    label: 'Decisions',
    show: (context) => <DecisionsTab key={context.contextId} {...context} />,
  },
  {
    name: 'knowledge',
    label: 'Knowledge',
    show: (context) => <KnowledgeTab key={context.contextId} {...context} />,
  },
  { name: 'diff', label: 'Diff', show: (context) => <DiffTab {...context} /> },
  { name: 'view', label: 'View explorer', show: (context) => <ViewTab {...context} /> },
  { name: 'run', label: 'Run', show: (context) => <RunTab {...context} /> },
];
