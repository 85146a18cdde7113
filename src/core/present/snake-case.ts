type SnakeKey<K> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeKey<Rest>}`
  : K

/** The type of an object after `toSnakeCase`. */
export type SnakeCase<T> = T extends readonly unknown[]
  ? { readonly [I in keyof T]: SnakeCase<T[I]> }
  : T extends object
    ? { readonly [K in keyof T as SnakeKey<K>]: SnakeCase<T[K]> }
    : T

/**
 * Copies a value with every key in snake_case, at every depth: the one spelling of Cordon's JSON. No key of our
 * objects is data (variables are pairs), so no key is excepted.
 */
export function toSnakeCase<T>(value: T): SnakeCase<T> {
  if (Array.isArray(value)) return value.map(toSnakeCase) as SnakeCase<T>
  if (typeof value !== 'object' || value === null) return value as SnakeCase<T>
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [snakeKey(key), toSnakeCase(of)])) as SnakeCase<T>
}

const snakeKey = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
