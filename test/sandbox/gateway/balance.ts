import type { Context } from './events.ts'

type Entry = {
  amount: number
  currency: string
  source_types: { card: number }
}

/** Payments minus refunds, by currency. */
export function readBalance({ books }: Context) {
  const totals = new Map<string, number>()
  for (const charge of books.all('charges')) {
    const units = charge.amount_captured - charge.amount_refunded
    totals.set(charge.currency, (totals.get(charge.currency) ?? 0) + units)
  }
  const available: Entry[] = [...totals].map(([currency, amount]) => ({
    amount,
    currency,
    source_types: { card: amount },
  }))
  const pending: Entry[] = []
  return {
    object: 'balance' as const,
    available,
    livemode: false as const,
    pending,
  }
}
