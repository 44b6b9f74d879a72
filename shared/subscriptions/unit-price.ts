/** The prices of a subscription, in minor units of its currency. */
interface Prices {
  unitPriceMinor: bigint
  nextPriceMinor: bigint | null
  nextPriceFrom: Date | null
}

/** Whether a charge of this date is made at the announced price. */
export const isAtNextPrice = ({ nextPriceFrom }: Pick<Prices, 'nextPriceFrom'>, date: Date | null): boolean =>
  nextPriceFrom !== null && date !== null && date >= nextPriceFrom

/** The price of a unit in the charge of a date after the trial. */
export const unitPriceAt = (prices: Prices, date: Date | null): bigint =>
  isAtNextPrice(prices, date) && prices.nextPriceMinor !== null
    ? prices.nextPriceMinor
    : prices.unitPriceMinor

/** No price is announced. */
export const NO_NEXT_PRICE = { nextPriceMinor: null, nextPriceFrom: null }
