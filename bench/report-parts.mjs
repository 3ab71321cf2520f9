import { table } from './table.mjs';

/** The share of the processors above which the load of other programs is reported. */
const noticeable = 0.1;

export function section(title, lines) {
  return ['', `## ${title}`, '', ...lines];
}

export function aimLines(aims) {
  const reasons = [...new Set(aims.flatMap(({ why }) => why ?? []))];
  return [
    ...table(
      ['', 'aim', 'measured', ''],
      aims.map(({ name, aim, measured, verdict }) => [name, aim, measured, verdict]),
    ),
    ...(reasons.length > 0
      ? ['', 'Reasons for missed aims:', '', ...reasons.map((why) => `- ${why}`)]
      : []),
  ];
}

export function othersLine({ others }) {
  if (others === undefined || others < noticeable) return [];
  return [
    '',
    `**Other programs had ${Math.round(others * 100)} % of the processors during this run.** That slows everybody, but not alike: a store that does its work in few processes gets a smaller share of a busy machine than 32 connections do. Processor time, below, hardly depends on it.`,
  ];
}

export function machineLines({ machine, server, source, seconds }) {
  const { sync, isInMemory } = machine;
  const settings = Object.entries(server.facts).map(([name, value]) => `${name} ${value}`);
  return [
    `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
    `- Disk: one page of 8 KB written and synced takes ${sync.p50.toFixed(2)} ms (p99 ${sync.p99.toFixed(2)} ms)${isInMemory ? '; the temporary directory is in memory, so nothing here was durable' : ''}.`,
    `- PostgreSQL: ${settings.join(', ')}.`,
    `- Versions: ${machine.versions.join(', ')}.`,
    `- Payloads: ${source}. The run took ${seconds.toFixed(0)} s.`,
  ];
}

export function whole(number) {
  return Math.round(number).toLocaleString('en');
}
