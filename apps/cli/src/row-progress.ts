import { type Terminal } from './terminal.js';

/** Shows the number of processed rows, if there is a terminal. */
export function showRows({ progress }: Terminal): (rows: number) => void {
  return (rows) => progress?.show(`${rows.toLocaleString('en-US')} rows`);
}
