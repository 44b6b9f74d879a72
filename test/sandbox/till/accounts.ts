/** A till's rate limit for each API key. */
export interface TillLimit {
  perSecond: number
  /** Requests accepted together after a pause. */
  burst: number
  /** The duration of a ban. */
  banMs: number
}

/** The requests of a key. `punished` counts those refused by the rate limit. */
export interface TillAccount {
  requests: number
  punished: number
  banned_until: string | null
}

interface Account extends TillAccount {
  tokens: number
  /** On the monotonic clock. */
  countedAt: number
  bannedUntilMs: number
}

/**
 * Counts each key's requests in a bucket of `burst` tokens that refills at `perSecond`. One request over the limit
 * bans the key: every request is refused until the ban ends.
 */
export class Accounts {
  #limit: TillLimit
  readonly #accounts = new Map<string, Account>()

  constructor(limit: TillLimit) {
    this.#limit = limit
  }

  /** Changes the limit and refills the buckets; the counters stay. */
  allow(limit: Partial<TillLimit>): TillLimit {
    this.#limit = { ...this.#limit, ...limit }
    for (const account of this.#accounts.values()) account.tokens = this.#limit.burst
    return this.#limit
  }

  forget() {
    this.#accounts.clear()
  }

  of(key: string): TillAccount {
    const { requests, punished, banned_until } = this.#open(key)
    return { requests, punished, banned_until }
  }

  all(): Record<string, TillAccount> {
    return Object.fromEntries([...this.#accounts.keys()].map((key) => [key, this.of(key)]))
  }

  /** Counts a request. Returns the seconds of Retry-After when the request exceeds the limit, else null. */
  count(key: string): number | null {
    const account = this.#open(key)
    const { perSecond, burst, banMs } = this.#limit
    const now = performance.now()
    account.requests += 1
    account.tokens = Math.min(burst, account.tokens + ((now - account.countedAt) / 1_000) * perSecond)
    account.countedAt = now
    if (now >= account.bannedUntilMs && account.tokens >= 1) {
      account.tokens -= 1
      account.banned_until = null
      return null
    }
    account.punished += 1
    if (now >= account.bannedUntilMs) {
      account.bannedUntilMs = now + banMs
      account.banned_until = new Date(Date.now() + banMs).toISOString()
    }
    // In whole milliseconds, so that a rounding error adds no second.
    return Math.ceil(Math.round(account.bannedUntilMs - now) / 1_000)
  }

  #open(key: string): Account {
    const known = this.#accounts.get(key)
    if (known) return known
    const opened = {
      requests: 0,
      punished: 0,
      banned_until: null,
      tokens: this.#limit.burst,
      countedAt: performance.now(),
      bannedUntilMs: 0,
    }
    this.#accounts.set(key, opened)
    return opened
  }
}
