import type fc from 'fast-check';

/** A command with any of these data, for `fc.oneof`. */
export function command<Type extends string, Data>(
  type: Type,
  data: fc.Arbitrary<Data>,
  weight: number,
) {
  return { weight, arbitrary: data.map((fields) => ({ type, data: fields })) };
}
