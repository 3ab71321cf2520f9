import { type SourceEvent } from './source-event.js';

/** The events of one run, story, trail or log. */
export type Story = Readonly<{
  name: string;
  set: 'runs' | 'stories' | 'trails' | 'logs' | 'decisions';
  events: readonly SourceEvent[];
}>;
