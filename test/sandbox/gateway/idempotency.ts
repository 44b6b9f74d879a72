import { createHash } from 'node:crypto'
import type { Books } from './books.ts'
import { keyInUse, keyReused } from './errors.ts'

export type Answer = { status: number; body: unknown }
export type KeptAnswer = {
  fingerprint: string
  requestId: string
  answer: Answer
}

/** The result for a request with a key: the stored response, or permission to run. */
export type Admission = {
  replay?: KeptAnswer
  keep(answer: Answer, requestId: string): void
  leave(): void
}

const FREE: Admission = { keep: () => undefined, leave: () => undefined }

/** Stripe's idempotency: one response per key and request. Keys do not expire here. */
export class Idempotency {
  readonly #books: Books
  readonly #running = new Set<string>()

  constructor(books: Books) {
    this.#books = books
  }

  /** @throws when the key was used with another request, or its first request is still running */
  admit(key: string | undefined, request: { method: string; path: string; body: string }): Admission {
    if (!key || request.method !== 'POST') return FREE
    const fingerprint = fingerprintOf(request)
    const kept = this.#books.find('answers', key)
    if (kept && kept.fingerprint !== fingerprint) throw keyReused(key)
    if (kept) return { ...FREE, replay: kept }
    if (this.#running.has(key)) throw keyInUse(key)
    this.#running.add(key)
    return {
      keep: (answer, requestId) => {
        this.#books.put('answers', { id: key, fingerprint, requestId, answer })
        this.#running.delete(key)
      },
      leave: () => this.#running.delete(key),
    }
  }
}

const fingerprintOf = ({ method, path, body }: { method: string; path: string; body: string }) =>
  createHash('sha256')
    .update(`${method} ${path}\n${sorted(body)}`)
    .digest('base64')

/** Parameters in another order are the same request. */
const sorted = (body: string) => body.split('&').sort().join('&')
