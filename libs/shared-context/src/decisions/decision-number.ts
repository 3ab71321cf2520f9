const pattern = /^DEC-(\d{3,15})$/;
const reserved = /^DEC-[1-9]\d{9,}$/;

/** `DEC-001`, `DEC-002`, ... `DEC-1000`: the ids made where a client sends none. */
export function decisionIdOf(number: number): string {
  return `DEC-${String(number).padStart(3, '0')}`;
}

/** The number an id takes from the ones to be made; `undefined` where it is of another form. */
export function numberOf(decisionId: string): number | undefined {
  const digits = pattern.exec(decisionId)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return decisionIdOf(number) === decisionId ? number : undefined;
}

/** Ids no client may choose: claiming one would leave no numbers to make ids from. */
export function isReserved(decisionId: string): boolean {
  return reserved.test(decisionId);
}
