import { type Static, Type } from 'typebox'
import { type Block, paragraphs } from '#shared/mail/letter.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

/** The data of a mail about a decision: the return, its goods and the staff's message. */
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
  goods: string
}

/** Returns the return's numbers and goods as facts of a mail. */
export const factsOf = ({ number, order_number, items }: Decision, labels: Labels): Block => ({
  facts: [
    [labels.number, number],
    [labels.order, order_number],
    [labels.goods, items.map(({ name, sku, quantity }) => `${quantity} × ${name} (${sku})`).join('\n')],
  ],
})

/** Returns a paragraph for each line of the staff's message, so that an address keeps its lines in HTML. */
export const messageOf = ({ message }: Decision): Block[] => paragraphs(message ?? '')
