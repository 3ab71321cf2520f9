export function readSecurityTable(): readonly Readonly<
  Record<'attack' | 'suite' | 'title', string>
>[];
