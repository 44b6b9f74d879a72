import { createHash } from 'node:crypto'
import type { Books } from './books.ts'
import { keyInUse, keyReused } from './errors.ts'

export type Answer = { status: number; body: unknown }
export type StoredAnswer = {
  fingerprint: string
  requestId: string
  answer: Answer
}

/** A key that a request claimed: with the stored answer to replay, else free to run. */
export type KeyClaim = {
  replay?: StoredAnswer
  store(answer: Answer, requestId: string): void
  release(): void
}

const FREE: KeyClaim = { store: () => undefined, release: () => undefined }

/** Stripe's idempotency: one response per key and request. Keys do not expire here. */
export class Idempotency {
  readonly #books: Books
  readonly #running = new Set<string>()

  constructor(books: Books) {
    this.#books = books
  }

  /** @throws when the key was used with another request, or its first request is still running */
  claim(key: string | undefined, request: { method: string; path: string; body: string }): KeyClaim {
    if (!key || request.method !== 'POST') return FREE
    const fingerprint = fingerprintOf(request)
    const stored = this.#books.find('answers', key)
    if (stored && stored.fingerprint !== fingerprint) throw keyReused(key)
    if (stored) return { ...FREE, replay: stored }
    if (this.#running.has(key)) throw keyInUse(key)
    this.#running.add(key)
    return {
      store: (answer, requestId) => {
        this.#books.put('answers', { id: key, fingerprint, requestId, answer })
        this.#running.delete(key)
      },
      release: () => this.#running.delete(key),
    }
  }
}

const fingerprintOf = ({ method, path, body }: { method: string; path: string; body: string }) =>
  createHash('sha256')
    .update(`${method} ${path}\n${sorted(body)}`)
    .digest('base64')

/** Parameters in another order are the same request. */
const sorted = (body: string) => body.split('&').sort().join('&')
