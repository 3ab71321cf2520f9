import { type ComposeFile, type Service } from './compose-file.js';
import { variablesOf } from './interpolation.js';

/** Rules beyond the schema. Each rule returns one line per fault. */
export const composeRules: Readonly<Record<string, (file: ComposeFile) => string[]>> = {
  'depends only on services there are, in a condition they can meet': ({ services }) =>
    eachService(services, (name, { depends_on }) =>
      Object.entries(depends_on).flatMap(([other, { condition, required }]) => {
        const found = services[other];
        if (!found) return [`${name} depends on ${other}, which there is not`];
        const isAlways = found.profiles.length === 0;
        return [
          ...(isAlways || !required || sharesProfiles(services[name], found)
            ? []
            : [`${name} cannot start without the profile of ${other}`]),
          ...(conditionOf(found) === condition
            ? []
            : [`${name} waits for ${other} by ${condition}, not ${conditionOf(found)}`]),
        ];
      }),
    ),
  'declares each named volume, and no other': ({ services, volumes }) => {
    const used = Object.values(services).flatMap((service) => service.volumes.flatMap(volumeName));
    const declared = Object.keys(volumes);
    return [
      ...used.filter((name) => !declared.includes(name)).map((name) => `${name} is not declared`),
      ...declared.filter((name) => !used.includes(name)).map((name) => `${name} is not used`),
    ];
  },
  'publishes on the loopback address only': ({ services }) =>
    eachService(services, (name, { ports }) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${name}: ${port}`),
    ),
  'publishes no port twice': ({ services }) => {
    const published = Object.entries(services).flatMap(([name, { ports, profiles }]) =>
      ports.map((port) => ({ key: `${profiles.join()} ${port}`, name })),
    );
    return published
      .filter(({ key }, at) => published.findIndex((other) => other.key === key) !== at)
      .map(({ name, key }) => `${name}: ${key}`);
  },
  'names a version of each image': ({ services }) =>
    eachService(services, (name, { image }) =>
      /:[^:/]+$/.test(image) && !/:(latest|lts|stable)$/.test(image) ? [] : [`${name}: ${image}`],
    ),
  'checks the health of whatever goes on, by an array': ({ services }) =>
    eachService(services, (name, { healthcheck, restart }) => {
      if (restart === 'no') return [];
      const test = healthcheck?.test;
      return Array.isArray(test) && test[0] === 'CMD' ? [] : [`${name}: ${String(test)}`];
    }),
  'starts again what goes on, and gives it time to stop': ({ services }) =>
    eachService(services, (name, { restart, stop_grace_period }) =>
      restart === 'no' || (restart === 'unless-stopped' && stop_grace_period) ? [] : [name],
    ),
  'waits and asks for times that can be read': ({ services }) =>
    eachService(services, (name, { stop_grace_period, healthcheck }) =>
      ['interval', 'timeout', 'start_period']
        .map((key) => healthcheck?.[key])
        .concat(stop_grace_period)
        .filter((time) => time !== undefined && !/^(\d+(ms|s|m|h))+$/.test(String(time)))
        .map((time) => `${name}: ${String(time)}`),
    ),
  'takes every capability and the way to new ones': ({ services }) =>
    eachService(services, (name, { cap_drop, security_opt }) =>
      cap_drop.includes('ALL') && security_opt.includes('no-new-privileges:true') ? [] : [name],
    ),
  'names an account for each, and root only without a network': ({ services }) =>
    eachService(services, (name, { user, network_mode, cap_add }) => {
      if (user && !user.startsWith('0') && cap_add.length === 0) return [];
      return user && network_mode === 'none' ? [] : [`${name}: ${user}`];
    }),
  'mounts roots read-only, but for the image that does not say where it writes': ({ services }) =>
    eachService(services, (name, { read_only, image }) =>
      read_only || /kurrentdb:/.test(image) ? [] : [name],
    ),
};

/** Checks the file before variables are interpolated. */
export function variableFaults(text: unknown): string[] {
  if (typeof text === 'string')
    return variablesOf(text)
      .filter(
        ({ operator, text: words }) => !operator || (operator.endsWith('?') && words.trim() === ''),
      )
      .map(({ name }) => `${name} has neither a default nor a message`);
  if (typeof text !== 'object' || text === null) return [];
  return Object.values(text).flatMap(variableFaults);
}

function eachService(
  services: ComposeFile['services'],
  faults: (name: string, service: Service) => string[],
): string[] {
  return Object.entries(services).flatMap(([name, service]) => faults(name, service));
}

function conditionOf({ restart }: Service): string {
  return restart === 'no' ? 'service_completed_successfully' : 'service_healthy';
}

/** Whether the other service always runs with this one. */
function sharesProfiles(service: Service | undefined, other: Service): boolean {
  const own = service?.profiles ?? [];
  return own.length > 0 && own.every((profile) => other.profiles.includes(profile));
}

function volumeName(volume: string): string[] {
  const [source = ''] = volume.split(':');
  return /^[./]/.test(source) ? [] : [source];
}
