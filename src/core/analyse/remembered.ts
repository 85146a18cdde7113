/** Things by path. Most scripts have none to remember: until there is one, nothing is made and nothing is looked up. */
export class Remembered<V> {
  #map: Map<string, V> | null = null

  get isEmpty(): boolean {
    return this.#map === null || this.#map.size === 0
  }

  get size(): number {
    return this.#map?.size ?? 0
  }

  get(path: string): V | undefined {
    return this.#map === null ? undefined : this.#map.get(path)
  }

  has(path: string): boolean {
    return this.#map?.has(path) ?? false
  }

  set(path: string, value: V): void {
    this.#map ??= new Map()
    this.#map.set(path, value)
  }

  delete(path: string): void {
    this.#map?.delete(path)
  }

  all(): readonly (readonly [path: string, value: V])[] {
    return this.#map === null ? [] : [...this.#map]
  }
}
