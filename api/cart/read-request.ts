import type { Static } from 'typebox'
import { toCamelCase } from '#api/platform/input/read-fields.ts'
import type { ToAdd } from '#shared/cart/add-to-cart.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { NewCartItem } from './schemas.ts'

/** What is to be put into a cart, in the domain's terms. */
export function toAdded({ voucher, ...goods }: Static<typeof NewCartItem>, currency: string): ToAdd {
  if (!voucher) return toCamelCase(goods)
  const { amount, ...gift } = voucher
  const amountMinor = toMinor(amount, currency, ['voucher', 'amount'])
  return { ...toCamelCase(goods), voucher: { ...toCamelCase(gift), amountMinor } }
}
