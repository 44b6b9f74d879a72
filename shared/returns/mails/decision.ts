import { type Static, Type } from 'typebox'
import type { Block } from '#shared/mail/letter.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

/** What a mail about a decision tells: which return, of what, and the staff's own words. */
export const Decision = Shape({
  number: Type.String(),
  order_number: Type.String(),
  message: Nullable(Type.String()),
  items: Type.Array(Shape({ name: Type.String(), sku: Type.String(), quantity: Type.Integer() })),
})
export type Decision = Static<typeof Decision>

interface Labels {
  number: string
  order: string
}

/** The return's numbers and goods as facts of a mail. */
export const factsOf = ({ number, order_number, items }: Decision, labels: Labels): Block => ({
  facts: [
    [labels.number, number],
    [labels.order, order_number],
    ...items.map(({ name, sku, quantity }): [string, string] => [`${quantity} ×`, `${name} (${sku})`]),
  ],
})

/** The staff's words, a paragraph a line, so that an address stays one in HTML too; none when they wrote none. */
export const wordsOf = ({ message }: Decision): Block[] =>
  (message ?? '').split(/[\r\n]+/).filter((line) => line.trim())
