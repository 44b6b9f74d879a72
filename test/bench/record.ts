import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'

/** A statement on the wire: a message group of its own, or text only, like `begin`. */
export interface Recorded {
  text: string
  values: unknown[] | null
}

interface WireConnection {
  parse(query: { text: string; name?: string }, more: boolean): void
  bind(config: { values?: unknown[]; statement?: string }, more: boolean): void
  query(text: string): void
}

const texts = new Map<string, string>()

/** Records every statement that this process sends while `work` runs; the floor sends the same ones. */
export async function record(work: () => Promise<unknown>): Promise<Recorded[]> {
  const wire = pg.Connection.prototype as unknown as WireConnection
  const { parse, bind, query } = wire
  const recorded: Recorded[] = []
  let unnamed = ''
  wire.parse = function (statement, more) {
    if (statement.name) texts.set(statement.name, statement.text)
    else unnamed = statement.text
    return parse.call(this, statement, more)
  }
  wire.bind = function (config, more) {
    const text = config.statement ? (texts.get(config.statement) ?? '') : unnamed
    recorded.push({ text, values: config.values ?? [] })
    return bind.call(this, config, more)
  }
  wire.query = function (text) {
    recorded.push({ text, values: null })
    return query.call(this, text)
  }
  try {
    await work()
    return recorded
  } finally {
    Object.assign(wire, { parse, bind, query })
  }
}

type Slot = { value: unknown } | { fresh: 'uuid' | 'bytes' | 'hash' | 'time'; number: number }

export interface Recipe {
  text: string
  slots: Slot[] | null
}

/** Compares two recordings of one operation: values that differ are generated per run, the others are constant. */
export function recipeOf(once: Recorded[], again: Recorded[]): Recipe[] {
  const numbers = new Map<string, number>()
  return once.map(({ text, values }, i) => ({
    text,
    slots: values?.map((value, j) => slotOf(value, again[i]?.values?.[j], numbers)) ?? null,
  }))
}

const key = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value))

function slotOf(value: unknown, other: unknown, numbers: Map<string, number>): Slot {
  if (key(value) === key(other)) return { value }
  const number = numbers.get(key(value)) ?? numbers.size
  numbers.set(key(value), number)
  if (Buffer.isBuffer(value)) return { fresh: 'bytes', number }
  return { fresh: /^[0-9a-f-]{36}$/.test(String(value)) ? 'uuid' : 'time', number }
}

/** The values of one run of a recipe. */
export function fillIn(slots: Slot[], made: Map<number, unknown>): unknown[] {
  return slots.map((slot) => {
    if ('value' in slot) return slot.value
    const value = made.get(slot.number) ?? MAKE[slot.fresh]()
    made.set(slot.number, value)
    return value
  })
}

const MAKE = {
  uuid: () => randomUUID(),
  bytes: () => randomBytes(32),
  hash: () => randomBytes(16).toString('hex'),
  time: () => new Date().toISOString(),
}
