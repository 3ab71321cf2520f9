// Loaded before a server: its clock is wrong by an hour, and jumps to another wrong time at each SIGUSR2. Timers, which
// use the monotonic clock, are not affected.
const hour = 3_600_000;
const Clock = globalThis.Date;
const shifts = process.env.CLOCK_BEHIND ? [-hour, hour] : [hour, -hour];
let at = 0;

const now = () => Clock.now() + (shifts[at] ?? 0);
const Shifted = new Proxy(Clock, {
  construct: (target, args, type) =>
    args.length === 0
      ? new Clock(now())
      : Reflect.construct(target, args, type === Shifted ? target : type),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
globalThis.Date = Shifted;
process.on('SIGUSR2', () => {
  at = (at + 1) % shifts.length;
});
