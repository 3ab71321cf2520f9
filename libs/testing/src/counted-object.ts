/** An object with 100 members and a counter of the reads of its members. */
export function countedObject() {
  let count = 0;
  const plain = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, at]));
  const counted = new Proxy(plain, {
    get: (target, name, receiver) => {
      count += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { plain, counted, reads: () => count };
}
