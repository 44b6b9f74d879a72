/** The prices of a subscription, in minor units of its currency. */
interface Prices {
  unitPriceMinor: bigint
  nextPriceMinor: bigint | null
  nextPriceFrom: Date | null
}

/** Whether the announced price applies to a charge of this date. */
export const isAtNextPrice = ({ nextPriceFrom }: Pick<Prices, 'nextPriceFrom'>, date: Date | null): boolean =>
  nextPriceFrom !== null && date !== null && date >= nextPriceFrom

/** Returns the price of a unit in a regular charge of this date. */
export const unitPriceAt = (prices: Prices, date: Date | null): bigint =>
  isAtNextPrice(prices, date) && prices.nextPriceMinor !== null
    ? prices.nextPriceMinor
    : prices.unitPriceMinor

/** The columns of a subscription without an announced price. */
export const NO_NEXT_PRICE = { nextPriceMinor: null, nextPriceQuantity: null, nextPriceFrom: null }
