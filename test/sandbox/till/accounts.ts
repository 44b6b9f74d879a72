/** What a till allows each API key. */
export interface TillLimit {
  perSecond: number
  /** Requests that may come at once after a pause. */
  burst: number
  /** How long a key that came too fast is locked out. */
  banMs: number
}

/** What a key has done. `punished` counts every request that was refused for its pace. */
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
 * Counts each key's requests as they arrive, in a bucket of `burst` tokens that fills by `perSecond`. It forgives
 * nothing: one request too many is refused, and then every other one until the ban ends.
 */
export class Accounts {
  #limit: TillLimit
  readonly #accounts = new Map<string, Account>()

  constructor(limit: TillLimit) {
    this.#limit = limit
  }

  /** Another limit; what was counted stays. */
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

  /** Counts a request; the seconds to stay away when it came too soon, null when it did not. */
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
    // In whole milliseconds: a fraction's last bit is no second more.
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
