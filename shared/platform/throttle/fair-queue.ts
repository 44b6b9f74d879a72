import { CallerQueue, moveToEnd } from '#shared/platform/caller-queue.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

/** A piece of work that waits for its permit. */
export interface Waiter {
  start(): void
  refuse(error: Error): void
}

/**
 * The work that waits for a permit, by group and caller. Groups take turns, and so do the callers of a group. The first
 * key is the next group to serve.
 */
export class FairQueue {
  readonly #groups = new Map<string, CallerQueue<Waiter>>()
  readonly #most: number
  size = 0

  constructor(most: number) {
    this.#most = most
  }

  push(name: string, caller: string, waiter: Waiter): void {
    const group = this.#groups.get(name) ?? new CallerQueue<Waiter>()
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
  #makeRoom(group: CallerQueue<Waiter>, caller: string): boolean {
    const [largest] = [...this.#groups.values()].sort((a, b) => b.size - a.size)
    const dropped =
      largest && largest.size > group.size + 1
        ? largest.popFromLongest(0)
        : group.popFromLongest(group.lengthOf(caller) + 1)
    dropped?.refuse(tooMany())
    if (dropped) this.size -= 1
    return dropped !== undefined
  }
}

const tooMany = () => CommonErrors.rateLimitExceeded({ retryAfter: 1 })
