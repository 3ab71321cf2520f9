const pattern = /^DEC-(\d{3,15})$/;
const reserved = /^DEC-[1-9]\d{9,}$/;

/** `DEC-001`, `DEC-002`, ... `DEC-1000`: the ids that the server assigns if a client sends none. */
export function decisionIdOf(number: number): string {
  return `DEC-${String(number).padStart(3, '0')}`;
}

/** The number in an id of the server's form; `undefined` if the id has another form. */
export function numberOf(decisionId: string): number | undefined {
  const digits = pattern.exec(decisionId)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return decisionIdOf(number) === decisionId ? number : undefined;
}

/** Whether clients may not choose this id: its number is so high that the server could run out of numbers. */
export function isReserved(decisionId: string): boolean {
  return reserved.test(decisionId);
}
