import { CommonErrors } from './errors.ts'

/** The share of a budget that one sender or receiver may reserve. */
export interface Share {
  sender: string
  maxBytes: number
}

/** Bytes that are reserved as they arrive. */
export interface Reservation {
  /** Reserves more bytes. Throws 429 `rate_limit.exceeded` if they are too many. */
  grow(bytes: number): void
  /** Releases all of them. Afterwards `grow` does nothing. */
  end(): void
}

/**
 * The bytes that a process keeps in memory at a time, at most. Each sender or receiver has a share, so that none can
 * take all bytes from the others.
 */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #bySender = new Map<string, number>()
  #reserved = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The bytes that all senders and receivers have reserved. */
  get reserved(): number {
    return this.#reserved
  }

  /**
   * Reserves a number of bytes. Returns a function that releases them. Throws 429 `rate_limit.exceeded` if they are too
   * many.
   */
  reserve(bytes: number, shares: readonly Share[]): () => void {
    const reservation = this.begin(shares)
    reservation.grow(bytes)
    return reservation.end
  }

  /** Begins a reservation of bytes that arrive one after the other. */
  begin(shares: readonly Share[]): Reservation {
    let grownBytes = 0
    let hasEnded = false
    return {
      grow: (bytes) => {
        if (hasEnded) return
        const isFull = ({ sender, maxBytes }: Share) => this.#of(sender) + bytes > maxBytes
        if (this.#reserved + bytes > this.#maxBytes || shares.some(isFull))
          throw CommonErrors.rateLimitExceeded({ retryAfter: 1 })
        grownBytes += bytes
        this.#add(bytes, shares)
      },
      end: () => {
        hasEnded = true
        this.#add(-grownBytes, shares)
        grownBytes = 0
      },
    }
  }

  #of(sender: string): number {
    return this.#bySender.get(sender) ?? 0
  }

  #add(bytes: number, shares: readonly Share[]): void {
    this.#reserved += bytes
    for (const { sender } of shares) {
      const after = this.#of(sender) + bytes
      if (after > 0) this.#bySender.set(sender, after)
      else this.#bySender.delete(sender)
    }
  }
}
