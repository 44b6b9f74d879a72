export type HeldUntil = 'released' | 'gone'

/** Requests that a fault holds until a test releases them or their client disconnects. */
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

  /** Releases all held requests and returns their number. */
  release(): number {
    const count = this.#held.size
    for (const end of this.#held) end('released')
    return count
  }
}
