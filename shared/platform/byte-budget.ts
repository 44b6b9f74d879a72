import { CommonErrors } from './errors.ts'

/** The bytes that one sender or receiver may hold. */
export interface Share {
  sender: string
  most: number
}

/** Bytes that are held while they arrive. */
export interface Holding {
  /** Counts more bytes. Throws 429 `rate_limit.exceeded` if they are too many. */
  grow(bytes: number): void
  /** Releases all of them. It grows no more. */
  end(): void
}

/**
 * The bytes that a process may hold at a time. Each sender or receiver has a share, so that none can take all bytes
 * from the others.
 */
export class ByteBudget {
  readonly #most: number
  readonly #bySender = new Map<string, number>()
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The bytes that all senders and receivers hold. */
  get held(): number {
    return this.#held
  }

  /**
   * Holds a number of bytes. Returns a function that releases them. Throws 429 `rate_limit.exceeded` if they are too
   * many.
   */
  hold(bytes: number, shares: readonly Share[]): () => void {
    const holding = this.begin(shares)
    holding.grow(bytes)
    return holding.end
  }

  /** Begins to count bytes that arrive one after the other. */
  begin(shares: readonly Share[]): Holding {
    let own = 0
    let isOver = false
    return {
      grow: (bytes) => {
        if (isOver) return
        const isFull = ({ sender, most }: Share) => this.#of(sender) + bytes > most
        if (this.#held + bytes > this.#most || shares.some(isFull))
          throw CommonErrors.rateLimited({ retryAfter: 1 })
        own += bytes
        this.#add(bytes, shares)
      },
      end: () => {
        isOver = true
        this.#add(-own, shares)
        own = 0
      },
    }
  }

  #of(sender: string): number {
    return this.#bySender.get(sender) ?? 0
  }

  #add(bytes: number, shares: readonly Share[]): void {
    this.#held += bytes
    for (const { sender } of shares) {
      const held = this.#of(sender) + bytes
      if (held > 0) this.#bySender.set(sender, held)
      else this.#bySender.delete(sender)
    }
  }
}
