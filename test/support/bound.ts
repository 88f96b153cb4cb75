/** A member of a wrapped object, as a proxy of it hands it on: private fields are those of the object itself. */
export function bound<T extends object>(target: T, name: keyof T): unknown {
  const member: unknown = target[name]
  return typeof member === 'function' ? member.bind(target) : member
}
