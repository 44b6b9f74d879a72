/** Why the gateway said no for good: a repeat would get the same answer. */
export class GatewayRefusal extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.name = 'GatewayRefusal'
    this.reason = reason
  }
}

export interface OpenedPayment {
  reference: string
  clientSecret: string
}

export interface RefundReceipt {
  reference: string
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled'
  failureReason: string | null
}

/**
 * Moves money. Every call that does carries an idempotency key, so repeating it moves nothing twice. A definite no
 * throws `GatewayRefusal`; anything else that goes wrong (time-out, 5xx, a key still in use) throws too, and says
 * nothing about what happened: the caller repeats it with the same key.
 */
export interface PaymentGateway {
  /** How long it remembers a key; a repeat after that would be a new request, so look first. */
  readonly keepsKeysMs: number
  open(payment: {
    idempotencyKey: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<OpenedPayment>
  cancel(payment: { idempotencyKey: string; reference: string }): Promise<void>
  refund(refund: {
    idempotencyKey: string
    paymentReference: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<RefundReceipt>
  /** How a refund fares that the gateway has taken on. */
  readRefund(reference: string): Promise<RefundReceipt>
  /** The refund that carries this `refund_id` in its metadata, if the gateway has made one. */
  findRefund(refund: { paymentReference: string; refundId: string }): Promise<RefundReceipt | null>
}
