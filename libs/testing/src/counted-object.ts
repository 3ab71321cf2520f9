/** An object of 100 members, and how often any of them has been read by now. */
export function countedObject() {
  let count = 0;
  const stated = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, at]));
  const counted = new Proxy(stated, {
    get: (target, name, receiver) => {
      count += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { stated, counted, reads: () => count };
}
