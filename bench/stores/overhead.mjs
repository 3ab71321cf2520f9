import { median, medianRatio } from '../statistics.mjs';
import { table } from '../table.mjs';
import { names } from './contenders.mjs';

/** The ratio of the adapter to the client in speed and processor time, round by round. */
export function overheadLines({ appends, reads }, hasServer) {
  const pairs = [
    [names.adapter, names.client, names.unbatched, 'stand-in'],
    ...(hasServer
      ? [[names.serverAdapter, names.serverClient, names.serverUnbatched, 'server']]
      : []),
  ];
  const rows = pairs.flatMap(([adapter, client, unbatched, place]) => [
    ...[...appends.get(adapter).keys()].flatMap((writers) => {
      const name = `append, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;
      const of = (contender) => appends.get(contender).get(writers);
      return [
        line(`${name}, ${place}`, of(adapter), of(client), 'as it comes'),
        line(`${name}, ${place}`, of(adapter), of(unbatched), 'a call an append'),
      ];
    }),
    ...[...reads].map(([name, readers]) =>
      line(`${name}, ${place}`, readers.get(adapter), readers.get(client), 'as it comes'),
    ),
  ]);
  return table(
    ['adapter to the client alone', 'client', 'speed', 'processor time, adapter and client'],
    rows,
  );
}

function line(name, ours, theirs, way) {
  return [
    name,
    way,
    `${medianRatio(ours, theirs).toFixed(2)}x`,
    `${median(ours.map((slot, round) => used(slot) / used(theirs[round]))).toFixed(2)}x`,
  ];
}

function used({ processor }) {
  return typeof processor === 'number' ? processor : (processor?.node ?? Number.NaN);
}
