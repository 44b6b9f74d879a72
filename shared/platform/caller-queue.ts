/** Items that wait, by caller. Callers take turns: the first key is the next caller to serve. */
export class CallerQueue<T> {
  readonly #byCaller = new Map<string, T[]>()
  size = 0

  lengthOf = (caller: string): number => this.#byCaller.get(caller)?.length ?? 0

  push(caller: string, item: T): void {
    const own = this.#byCaller.get(caller) ?? []
    own.push(item)
    this.#byCaller.set(caller, own)
    this.size += 1
  }

  /** Removes and returns the first item of the next caller. */
  shift(): T | undefined {
    const [first] = this.#byCaller
    if (!first) return undefined
    const [caller, own] = first
    this.#byCaller.delete(caller)
    if (own.length > 1) this.#byCaller.set(caller, own)
    this.size -= 1
    return own.shift()
  }

  /** Returns whether the item waited. */
  remove(caller: string, item: T): boolean {
    const own = this.#byCaller.get(caller) ?? []
    const place = own.indexOf(item)
    if (place < 0) return false
    own.splice(place, 1)
    if (own.length === 0) this.#byCaller.delete(caller)
    this.size -= 1
    return true
  }

  /** Serves the other callers first. */
  putLast(caller: string): void {
    moveToEnd(this.#byCaller, caller)
  }

  /** Removes and returns the last item of the caller with the most items, if these are more than `minLength`. */
  popFromLongest(minLength: number): T | undefined {
    // Of equal callers it takes the one that is served last.
    const [longest] = [...this.#byCaller].reverse().sort(([, a], [, b]) => b.length - a.length)
    if (!longest || longest[1].length <= minLength) return undefined
    const [caller, own] = longest
    const item = own.pop()
    if (own.length === 0) this.#byCaller.delete(caller)
    this.size -= 1
    return item
  }
}

/** Makes a key the last of its map. */
export function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
