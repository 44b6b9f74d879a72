import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import PostalMime from 'postal-mime'

export type Mail = {
  id: string
  /** The Message-ID. A mail that is sent again keeps it. */
  message_id: string
  /** The recipients, blind copies included. */
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  received_at: string
}

const KEPT = 500

/** The last 500 mails, newest first. */
export class Mails {
  #mails: Mail[] = []
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  async receive(source: Readable, to: string[]) {
    const received_at = new Date().toISOString()
    const {
      messageId = '',
      from,
      subject = '',
      text = '',
      html = '',
    } = await PostalMime.parse(await source.toArray().then(Buffer.concat))
    const mail = {
      id: randomUUID(),
      message_id: messageId,
      to,
      from: from?.address ?? '',
      subject,
      text,
      html,
      received_at,
    }
    this.#mails = [mail, ...this.#mails].slice(0, KEPT)
    this.#emitter.emit('received')
  }

  /** Addresses are case-insensitive. */
  list(to?: string): Mail[] {
    if (!to) return [...this.#mails]
    const wanted = to.toLowerCase()
    return this.#mails.filter((mail) => mail.to.some((address) => address.toLowerCase() === wanted))
  }

  clear() {
    this.#mails = []
  }

  /** The mails to this address, once there are `count`, or the present ones when `signal` ends the wait. */
  async waitFor(to: string | undefined, count: number, signal: AbortSignal): Promise<Mail[]> {
    while (this.list(to).length < count && !signal.aborted) {
      await once(this.#emitter, 'received', { signal }).catch(() => undefined)
    }
    return this.list(to)
  }
}
