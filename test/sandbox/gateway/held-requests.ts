export type HeldUntil = 'released' | 'gone'

/** Requests that a fault holds back until a harness lets them go, or their client goes away. */
export class HeldRequests {
  readonly #held = new Set<(how: HeldUntil) => void>()

  get size() {
    return this.#held.size
  }

  hold(gone: AbortSignal): Promise<HeldUntil> {
    if (gone.aborted) return Promise.resolve('gone')
    return new Promise((resolve) => {
      const end = (how: HeldUntil) => {
        this.#held.delete(end)
        resolve(how)
      }
      this.#held.add(end)
      gone.addEventListener('abort', () => end('gone'), { once: true })
    })
  }

  /** Lets all of them go on, and says how many they were. */
  release(): number {
    const count = this.#held.size
    for (const end of this.#held) end('released')
    return count
  }
}
