import { type Terminal } from './terminal.js';

/** Shows how many rows are done, where a person is watching. */
export function showRows({ progress }: Terminal): (rows: number) => void {
  return (rows) => progress?.show(`${rows.toLocaleString('en-US')} rows`);
}
