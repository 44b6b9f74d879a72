const FNV_OFFSET = 2_166_136_261
const FNV_PRIME = 16_777_619
const TWO_POW_32 = 4_294_967_296

/** Random numbers that repeat: the same seed gives the same sequence (mulberry32, seeded by an FNV-1a hash). */
export class Chance {
  #state: number

  constructor(seed: string) {
    this.#state = [...seed].reduce(
      (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), FNV_PRIME),
      FNV_OFFSET,
    )
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_POW_32
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  isTrue(probability: number): boolean {
    return this.next() < probability
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256))
  }
}
