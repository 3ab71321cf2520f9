import { whole } from '../report-parts.mjs';
import { median } from '../statistics.mjs';
import { table } from '../table.mjs';

export function delayLines({ appends, row, list, processor }) {
  const line = (name, { count, p50, p99 }) => [name, whole(count), p50.toFixed(1), p99.toFixed(1)];
  const used = (part) => whole((processor[part] * 1000) / appends.count);
  return [
    ...table(
      ['', 'appends', 'p50 ms', 'p99 ms'],
      [
        line('visible in the row', row),
        line('visible in GET /v1/contexts', list),
        line('the append itself', appends),
      ],
    ),
    '',
    `The result is ${whole(appends.perSecond)} appends/s${processor ? `; for each append the server used ${used('node')} µs of processor time and PostgreSQL ${used('database')}, including the polling` : ''}.`,
  ];
}

export function takeoverLines(taken) {
  const seconds = (of) => taken.map((one) => one[of] / 1000);
  const line = (name, of) => [
    name,
    median(seconds(of)).toFixed(2),
    Math.max(...seconds(of)).toFixed(2),
  ];
  return table(
    [`${taken.length} kills, seconds until events are applied of`, 'median', 'longest'],
    [line("the first of the dead process's partitions", 'first'), line('every one of them', 'all')],
  );
}

export function asOfLines(cells, { histories }) {
  const rows = [...Map.groupBy(cells, ({ kind, read }) => `${read}, ${kind}`)].map(
    ([name, sizes]) => [
      name,
      ...sizes.map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`),
      `${(sizes.at(-1).p50 / sizes[0].p50).toFixed(1)}x`,
      sizes.map(({ bytes }) => whole(bytes / 1000)).join(', '),
    ],
  );
  const [least, most] = [histories[0], histories.at(-1)].map(whole);
  return table(
    [
      'p50 / p99 in ms',
      ...histories.map((events) => `${whole(events)} events`),
      `${most} : ${least}`,
      'answers, KB',
    ],
    rows,
  );
}

export function transferLines(walks) {
  const rows = walks.map(({ name, seconds, events, bytes }) => [
    name,
    whole(events / seconds),
    seconds.toFixed(1),
    bytes > 0 ? whole(bytes / 1e6) : '',
  ]);
  return table(['', 'events/s', 'seconds', 'MB'], rows);
}
