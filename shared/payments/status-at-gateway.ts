/** Money that a gateway captured, in minor units. `reference` is the gateway's id of the payment. */
export interface Capture {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * The status of a payment at its gateway. `open`: the buyer can still pay. `reason` is the reason of the last decline.
 */
export type StatusAtGateway =
  | { status: 'open' | 'canceled'; reason: string | null }
  | ({ status: 'captured' } & Capture)
