// Adding to the big collections of a view. For a single event they are copied, so that earlier views stay as they were.
// In a batch they are copied once and then grown in place, because nobody sees the views in between: without this the
// replay of a long session costs the square of its length.

export interface Grow {
  add<K extends string, V>(record: Readonly<Record<K, V>>, key: K, value: V): Readonly<Record<K, V>>;
  push<T>(list: readonly T[], items: readonly T[]): readonly T[];
}

export const COPYING: Grow = {
  add: (record, key, value) => ({ ...record, [key]: value }),
  push: (list, items) => (items.length === 0 ? list : [...list, ...items]),
};

/** For one batch: collections it copied are its own, and grow in place from then on. */
export function growingInPlace(): Grow {
  const own = new WeakSet<object>();
  return {
    add: (record, key, value) => {
      const grown = own.has(record) ? record : { ...record };
      own.add(grown);
      Object.assign(grown, { [key]: value });
      return grown;
    },
    push: (list, items) => {
      const grown = own.has(list) ? list : [...list];
      own.add(grown);
      Reflect.apply(Array.prototype.push, grown, items);
      return grown;
    },
  };
}
