import { CommonErrors } from './errors.ts'

/** The bytes that one sender or receiver may hold. */
export interface Share {
  sender: string
  most: number
}

/** The bytes that a process may hold at a time. Nobody may hold all of them: others could hold none then. */
export class ByteBudget {
  readonly #most: number
  readonly #bySender = new Map<string, number>()
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The bytes that all hold. */
  get held(): number {
    return this.#held
  }

  /** Counts so many bytes. Returns what ends that. Throws 429 `rate_limit.exceeded` when they are too many. */
  hold(bytes: number, shares: readonly Share[]): () => void {
    const isFull = ({ sender, most }: Share) => this.#of(sender) + bytes > most
    if (this.#held + bytes > this.#most || shares.some(isFull))
      throw CommonErrors.rateLimited({ retryAfter: 1 })
    this.#add(bytes, shares)
    return () => this.#add(-bytes, shares)
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
