import { type ToldEvent } from './told-event.js';

/** What happened in one run, story, trail or log. */
export type Story = Readonly<{
  name: string;
  set: 'runs' | 'stories' | 'trails' | 'logs' | 'decisions';
  events: readonly ToldEvent[];
}>;
