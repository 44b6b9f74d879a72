import { randomBytes } from 'node:crypto'
import { now } from '#shared/platform/time/clock.ts'
import type { StoredAnswer } from './idempotency.ts'
import { Journal } from './journal.ts'
import type { CardState } from './payment-methods.ts'
import type {
  Charge,
  Customer,
  DeletedCustomer,
  Dispute,
  Event,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
} from './types.ts'

/** The rows of each table. */
type Rows = {
  payment_intents: PaymentIntent
  charges: Charge
  refunds: Refund
  disputes: Dispute
  customers: Customer | DeletedCustomer
  setup_intents: SetupIntent
  payment_methods: PaymentMethod
  card_states: CardState
  events: Event
  answers: StoredAnswer & { id: string }
}
export type Table = keyof Rows
type Change = { [T in Table]: { table: T; row: Rows[T] } }[Table]

/**
 * The gateway's state. A request's changes, events and response are one line in the journal: after a crash
 * either all of them are present or none.
 */
export class Books {
  readonly #tables: { [T in Table]: Map<string, Rows[T]> } = {
    payment_intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    customers: new Map(),
    setup_intents: new Map(),
    payment_methods: new Map(),
    card_states: new Map(),
    events: new Map(),
    answers: new Map(),
  }
  readonly #journal: Journal<Change[]>
  #changes: Change[] = []

  constructor(file?: string) {
    this.#journal = new Journal(file)
    this.#journal.open((changes) => {
      for (const change of changes) this.#set(change)
    })
  }

  find<T extends Table>(table: T, id: string): Rows[T] | undefined {
    return this.#tables[table].get(id)
  }

  /** Oldest first. */
  all<T extends Table>(table: T): Rows[T][] {
    return [...this.#tables[table].values()]
  }

  put<T extends Table>(table: T, row: Rows[T]): Rows[T] {
    const change = { table, row } as Change
    this.#changes.push(change)
    this.#set(change)
    return row
  }

  /**
   * Writes all changes since the last commit and returns the events among them.
   * Callers do not await between a change and its commit.
   */
  commit(): Event[] {
    const changes = this.#changes
    this.#changes = []
    if (changes.length > 0) this.#journal.append(changes)
    return changes.flatMap((change) => (change.table === 'events' ? [change.row] : []))
  }

  /** Forgets everything, for a test of many histories. The journal keeps it. */
  clear() {
    for (const rows of Object.values(this.#tables)) rows.clear()
  }

  close() {
    this.#journal.close()
  }

  #set({ table, row }: Change) {
    const rows = this.#tables[table] as Map<string, unknown>
    rows.set(row.id, row)
  }
}

export const newId = (prefix: string) => `${prefix}_${randomText(24)}`

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomText = (length: number) =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** By the service's clock, which tests in this process move. */
export const unixNow = () => Math.floor(now().getTime() / 1000)
