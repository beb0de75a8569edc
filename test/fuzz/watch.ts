/*
 * Loaded into the gateway's process before it starts (`--import`). On each message it reports whether prototypes and
 * other shared objects are unchanged.
 */
let before: string | null = null;

process.on('message', () => {
  const now = describeShared();
  before ??= now;
  process.send?.({ isUnchanged: now === before });
});
process.channel?.unref(); // it must not keep the process alive

/** Property names of the shared prototypes and constructors, and of their functions. */
function describeShared(): string {
  const constructors = [Object, Array, Function, String, Number, Boolean, Promise, Map, Set, Error];
  const shared = [...constructors, ...constructors.map(({ prototype }) => prototype as object)];
  return JSON.stringify(shared.map(describeObject));
}

function describeObject(object: object): unknown {
  return Object.entries(Object.getOwnPropertyDescriptors(object)).map(([name, { value }]) => [
    name,
    typeof value,
    typeof value === 'function' ? Object.getOwnPropertyNames(value) : null,
    typeof value === 'function' ? typeof (value as { call: unknown }).call : null,
  ]);
}
