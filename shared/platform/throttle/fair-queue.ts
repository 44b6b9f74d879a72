import { CommonErrors } from '#shared/platform/errors.ts'

/** A piece of work that waits for its permit. */
export interface Waiter {
  start(): void
  refuse(error: Error): void
}

/** The waiting work of a group by caller. The first key is the next caller to serve. */
class Group {
  readonly #byCaller = new Map<string, Waiter[]>()
  size = 0

  lengthOf = (caller: string): number => this.#byCaller.get(caller)?.length ?? 0

  push(caller: string, waiter: Waiter): void {
    const own = this.#byCaller.get(caller) ?? []
    own.push(waiter)
    this.#byCaller.set(caller, own)
    this.size += 1
  }

  shift(): Waiter | undefined {
    const [first] = this.#byCaller
    if (!first) return undefined
    const [caller, own] = first
    this.#byCaller.delete(caller)
    if (own.length > 1) this.#byCaller.set(caller, own)
    this.size -= 1
    return own.shift()
  }

  /** Returns whether the work waited. */
  remove(caller: string, waiter: Waiter): boolean {
    const own = this.#byCaller.get(caller) ?? []
    const place = own.indexOf(waiter)
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

  /** Refuses the last work of the caller with the most waiting work, if that is more than `minLength`. */
  dropFromLongest(minLength: number): boolean {
    // Of equal callers it takes the one that is served last.
    const [longest] = [...this.#byCaller].reverse().sort(([, a], [, b]) => b.length - a.length)
    if (!longest || longest[1].length <= minLength) return false
    const [caller, own] = longest
    own.pop()?.refuse(tooMany())
    if (own.length === 0) this.#byCaller.delete(caller)
    this.size -= 1
    return true
  }
}

/**
 * The work that waits for a permit, by group and caller. Groups take turns, and so do the callers of a group. The first
 * key is the next group to serve.
 */
export class FairQueue {
  readonly #groups = new Map<string, Group>()
  readonly #most: number
  size = 0

  constructor(most: number) {
    this.#most = most
  }

  push(name: string, caller: string, waiter: Waiter): void {
    const group = this.#groups.get(name) ?? new Group()
    if (this.size >= this.#most && !this.#makeRoom(group, caller)) {
      waiter.refuse(tooMany())
      return
    }
    group.push(caller, waiter)
    this.#groups.set(name, group)
    this.size += 1
  }

  /** Removes and returns the first work of the first group that `isServed` accepts. */
  shift(isServed: (group: string) => boolean): { group: string; waiter: Waiter } | undefined {
    for (const [name, group] of this.#groups) {
      if (!isServed(name)) continue
      const waiter = group.shift()
      this.#groups.delete(name)
      if (group.size > 0) this.#groups.set(name, group)
      this.size -= 1
      return waiter && { group: name, waiter }
    }
    return undefined
  }

  remove(name: string, caller: string, waiter: Waiter): void {
    const group = this.#groups.get(name)
    if (!group?.remove(caller, waiter)) return
    if (group.size === 0) this.#groups.delete(name)
    this.size -= 1
  }

  /**
   * Serves the other groups and callers first, because this one has just had its turn. Some of the others began to wait
   * during that turn, and so after this one.
   */
  putLast(name: string, caller: string): void {
    this.#groups.get(name)?.putLast(caller)
    moveToEnd(this.#groups, name)
  }

  /** Refuses waiting work of the largest group, or else of another caller in the group. Returns whether it did. */
  #makeRoom(group: Group, caller: string): boolean {
    const [largest] = [...this.#groups.values()].sort((a, b) => b.size - a.size)
    const isDropped =
      largest && largest.size > group.size + 1
        ? largest.dropFromLongest(0)
        : group.dropFromLongest(group.lengthOf(caller) + 1)
    if (isDropped) this.size -= 1
    return isDropped
  }
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}

const tooMany = () => CommonErrors.rateLimitExceeded({ retryAfter: 1 })
